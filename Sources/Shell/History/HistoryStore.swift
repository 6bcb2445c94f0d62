internal import Glibc
internal import Modeling
internal import SQLite
internal import StoreErrors
internal import Terminal

/// The database of what was entered at the prompt: one for all stores and all shells of a user.
///
///     ~/.local/state/perilune/history.db
///
/// Each row is a block that was run, with the store that was open, the time, how long it took, how many rows it answered
/// and whether it failed. An entry is written before it runs. Only the owner may read the file, because typed lines are
/// private.
final class HistoryStore {
  private let connection: Connection
  /// Called with the first entry that could not be kept.
  var onFailure: (any Error) -> Void = { _ in }
  private var hasFailed = false

  private static let version: Int64 = 1
  /// More entries than that are not kept; the oldest go when a shell begins.
  private static let mostEntries: Int64 = 100_000

  /// The folder for what the shell remembers: `${XDG_STATE_HOME:-~/.local/state}/perilune`; nil without a home.
  static func standardFolder(_ environment: [String: String]) -> String? {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/perilune" }
    guard let home = environment["HOME"], !home.isEmpty else { return nil }
    return home + "/.local/state/perilune"
  }

  /// Opens `history.db` in a folder, which is made if it is not there.
  ///
  /// A new database takes over the entries of the file `history` of earlier versions.
  init(folder: String) throws {
    Self.makeFolders(folder)
    let path = folder + "/history.db"
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StoreError(.cannotCreate(String(cString: strerror(errno))), path: path) }
    close(descriptor)
    connection = try Connection(path, Connection.Options(busyTimeout: 2))
    _ = try connection.beginLog()
    // Entries from the moment before a power cut may be lost; the file stays whole.
    try connection.execute("PRAGMA synchronous = NORMAL")
    try prepare(HistoryFile(path: folder + "/history"))
  }

  /// The newest entries of other stores, then those of `place`, each oldest first.
  func entries(_ place: String, _ limit: Int) throws -> [History.Entry] {
    try connection.all(
      """
      SELECT id, text, time, duration, rows, failed, store <> ?1 FROM entry WHERE id IN (
        SELECT id FROM (SELECT id FROM entry WHERE store = ?1 ORDER BY id DESC LIMIT ?2)
        UNION ALL SELECT id FROM (SELECT id FROM entry WHERE store <> ?1 ORDER BY id DESC LIMIT ?2))
      ORDER BY store = ?1, id
      """, [.string(place), .int(Int64(limit))]
    ).map(Self.entry)
  }

  /// Keeps an entry, and returns its number.
  func add(_ entry: History.Entry, _ place: String) throws -> Int64 {
    try connection.run(
      "INSERT INTO entry (store, text, time) VALUES (?, ?, ?)",
      [.string(place), .string(entry.text), .int(Int64(entry.time))])
    return connection.lastInsertedRowID
  }

  /// Keeps what became of an entry.
  func finish(_ entry: History.Entry) throws {
    try connection.run(
      "UPDATE entry SET duration = ?, rows = ?, failed = ? WHERE id = ?",
      [
        entry.duration.map(Value.double) ?? .null, entry.rows.map { .int(Int64($0)) } ?? .null,
        .int(entry.hasFailed ? 1 : 0), .int(entry.number),
      ])
  }

  /// The store as the history of an editor. An error is reported once, and the history continues without the file.
  func keeper(place: @escaping () -> String) -> History.Keeper {
    History.Keeper(
      place: place,
      read: { [self] place, limit in trying { try entries(place, limit) } ?? [] },
      add: { [self] entry, place in trying { try add(entry, place) } ?? 0 },
      finish: { [self] entry in
        if entry.number != 0 { trying { try finish(entry) } }
      })
  }

  @discardableResult
  private func trying<Result>(_ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch {
      if !hasFailed { onFailure(error) }
      hasFailed = true
      return nil
    }
  }

  private func prepare(_ earlier: HistoryFile) throws {
    guard try version() == 0 else {
      guard try version() == Self.version else { throw StoreError(.newerStore(version: Int(try version()))) }
      try connection.run(
        "DELETE FROM entry WHERE id <= (SELECT max(id) FROM entry) - ?", [.int(Self.mostEntries)])
      return
    }
    try connection.beginWriting()
    // Another shell may have been quicker.
    if try version() == 0 {
      try connection.execute(
        """
        CREATE TABLE entry (
          id INTEGER PRIMARY KEY AUTOINCREMENT, store TEXT NOT NULL, text TEXT NOT NULL, time INTEGER NOT NULL,
          duration REAL, rows INTEGER, failed INTEGER NOT NULL DEFAULT 0);
        CREATE INDEX entry_store ON entry (store, id);
        PRAGMA user_version = \(Self.version);
        """)
      for var entry in earlier.read() {
        entry.text = entry.text.withoutTypedPasswords
        _ = try add(entry, "")
      }
    }
    try connection.commit()
  }

  private func version() throws -> Int64 {
    guard case .int(let version)? = try connection.first("PRAGMA user_version") else { return 0 }
    return version
  }

  private static func entry(_ row: [Value]) -> History.Entry {
    var entry = History.Entry(text: "", time: 0)
    if case .int(let number) = row[0] { entry.number = number }
    // Entries of an earlier version may hold one.
    if case .string(let text) = row[1] { entry.text = text.withoutTypedPasswords }
    if case .int(let time) = row[2] { entry.time = Int(time) }
    if case .double(let duration) = row[3] { entry.duration = duration }
    if case .int(let rows) = row[4] { entry.rows = Int(rows) }
    entry.hasFailed = row[5] == .int(1)
    entry.isElsewhere = row[6] == .int(1)
    return entry
  }

  static func makeFolders(_ path: String) {
    var folder = ""
    for part in path.split(separator: "/") {
      folder += "/" + part
      mkdir(folder, 0o700)
    }
  }
}
