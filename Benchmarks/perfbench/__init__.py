"""The parts of run.py: what is measured, how, and how it is told."""
