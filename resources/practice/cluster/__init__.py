"""The practice cluster: a small real Slurm cluster on this machine."""
