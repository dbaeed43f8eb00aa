"""Tables, published figures, curves and pages."""
