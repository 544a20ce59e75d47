"""`python -m attention_core` prints the toy in the terminal."""

from attention_core.terminal import main

main()
