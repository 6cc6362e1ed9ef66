"""The parts of the read side, one per subject. Each question is one transaction and sees one moment."""
