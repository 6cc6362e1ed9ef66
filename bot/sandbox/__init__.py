"""Stand-ins for the chat platforms, and the page that shows both clients: for the demo and the tests."""
