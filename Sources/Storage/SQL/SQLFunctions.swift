extension SQLiteStore { func installFunctions() {} }
