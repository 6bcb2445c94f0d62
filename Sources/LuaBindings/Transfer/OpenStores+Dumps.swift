internal import Compression
internal import Modeling
internal import Stores

// Dumps: texts of SQL that make a whole store.
extension OpenStores {
  /// Opens a store in memory with what the statements of a dump make.
  func open(dump file: DataFile) throws -> BoundStore {
    var options = StoreOptions(path: ":memory:")
    (options.create, options.readOnly) = (true, engine.options.opensReadOnly)
    do {
      let text = try file.dumpText { [engine] in engine?.lua.isInterrupted == true }
      options.dump = StoreDump(text: text, limit: ExpansionLimit.most(packed: text.utf8.count))
      // In a dry run only the changes after the dump are rolled back at the end.
      let store = try open(options, rehearses: false)
      if isRehearsing { try store.objectStore.beginDryRun() }
      return store
    } catch var error as StoreError {
      error.path = file.label
      throw error
    } catch {
      throw ImportFailure(path: file.label, error: error)
    }
  }
}

extension DataFile {
  /// The statements of a dump, which may be packed.
  ///
  /// - Throws: SpooledText.Failure, CompressionError, DataFileError.
  fileprivate func dumpText(shouldStop: @escaping () -> Bool) throws -> String {
    let bytes = try unpacked(shouldStop: shouldStop)[0].document() ?? []
    let head = String(decoding: bytes.prefix(2_000), as: UTF8.self)
    if head.hasPrefix("PGDMP") || head.contains("-- PostgreSQL database dump") {
      throw DataFileError.dump(of: .postgres)
    }
    if ["-- MySQL dump", "-- MariaDB dump", "/*M!999999"].contains(where: head.hasPrefix) {
      throw DataFileError.dump(of: .mySQL)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw DataFileError.notUTF8 }
    return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
  }
}
