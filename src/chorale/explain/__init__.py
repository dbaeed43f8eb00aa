"""What a person looks at: results, and why a step helps."""
