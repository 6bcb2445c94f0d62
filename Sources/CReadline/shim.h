#include <stdio.h>
#include <readline/readline.h>
#include <readline/history.h>

// Function-like macros and variadic functions are not imported into Swift.
static inline int perilune_readline_is_state(unsigned long state) { return (rl_readline_state & state) != 0; }
