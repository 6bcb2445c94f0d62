// Debian's library is built with these features; its header declares them only when asked.
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_COLUMN_METADATA 1
#include <sqlite3.h>
