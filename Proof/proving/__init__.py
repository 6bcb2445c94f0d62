"""What the proofs share: the program under test, the preloaded library, folders, failures and their cases."""
