internal import Modeling
internal import Postgres
internal import PostgresStorage
internal import Stores

extension StoreOpening {
  /// Databases of PostgreSQL, by their addresses.
  static var server: StoreOpening {
    StoreOpening(
      takes: PostgresAddress.isAddress, refusalInSandbox: "scripts reach no server in it",
      copyBeforeLosses: "; pg_dump makes a copy first", isAddress: true, examine: examineServer
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

  private static func examineServer(_ path: String, _ isInterrupted: @escaping () -> Bool) -> StoreDiagnosis {
    do {
      var options = PostgresOptions(try PostgresAddress(path))
      (options.isReadOnly, options.isInterrupted) = (true, isInterrupted)
      let store = try PostgresStore(options)
      defer { store.close() }
      return Interruption.asking(isInterrupted) { store.examine() }
    } catch {
      var diagnosis = StoreDiagnosis(of: path.withoutPassword)
      diagnosis.failure = error as? StoreError ?? StoreError(.corrupt("\(error)"), path: path)
      return diagnosis
    }
  }
}
