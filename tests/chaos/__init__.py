"""Trouble everywhere at once: replicas killed, chats that fail, people who press what they see; and the reckoning."""
