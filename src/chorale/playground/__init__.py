"""The playground: a web server for one person or a few, and the page it serves."""
