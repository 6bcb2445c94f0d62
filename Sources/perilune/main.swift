print("perilune")
