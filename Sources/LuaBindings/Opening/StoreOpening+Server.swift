internal import Postgres
internal import PostgresStorage
internal import Stores

extension StoreOpening {
  /// Databases of PostgreSQL, by their addresses.
  static var server: StoreOpening {
    StoreOpening(
      takes: PostgresAddress.isAddress, refusalInSandbox: "scripts reach no server in it",
      copyBeforeLosses: "; pg_dump makes a copy first", isAddress: true
    ) { options, _ in
      var server = PostgresOptions(try PostgresAddress(options.path))
      (server.model, server.create, server.isReadOnly) = (options.model, options.create, options.readOnly)
      (server.isConfined, server.isMaking) = (options.isConfined, options.isMaking)
      server.hidden = options.hidden
      server.isInterrupted = options.isInterrupted
      (server.migrate, server.stages, server.isRehearsal) = (options.migrate, options.stages, options.isRehearsal)
      (server.permitsLosses, server.history) = (options.permitsLosses, options.history)
      return try PostgresStore(server)
    }
  }
}
