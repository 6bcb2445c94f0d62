internal import Glibc

/// Values that persist between runs, in a file that several processes share.
///
///     let file = PreferenceFile(path: PreferenceFile.standardPath { getenv($0).map { String(cString: $0) } })
///     let minimum = AppStorage("minimum", 5, in: file)
///     minimum.value = 6                                    // 6 in the next run, too
///
/// Each write merges the changes of other processes; the last write of a value wins. A damaged file is renamed, never
/// overwritten. Each problem is reported to `onProblem` once, and the values stay in memory. Without a path they exist
/// only in memory.
public final class PreferenceFile {
  /// Called with each problem.
  public var onProblem: (PreferenceProblem) -> Void = { _ in }
  /// Whether each change is written at once; otherwise `save()` writes them.
  public var writesAtOnce = true
  /// Whether changes are written at all; otherwise they are lost at the end.
  public let keepsChanges: Bool

  private let path: String?
  /// Created on first use, because that makes system calls.
  private lazy var disk = path.map { PreferenceDisk(path: $0) }
  private var table = PreferenceTable()
  private var isRead = false
  /// The version of the file that was last read or written.
  private var version: PreferenceDisk.Version?
  private var unwritten: [PreferenceKeyPath: PreferenceValue?] = [:]
  private var observers: [PreferenceKeyPath: ChangeObservers<PreferenceValue?>] = [:]
  private var told: Set<PreferenceProblem> = []

  /// Opens the file at a path, which need not exist; without a path, values are kept in memory.
  public init(path: String?, keepsChanges: Bool = true) {
    self.path = path
    self.keepsChanges = keepsChanges
  }

  /// `storage.json` among the user's configuration: `${XDG_CONFIG_HOME:-~/.config}/perilune`; nil without a home.
  public static func standardPath(_ environment: (String) -> String?) -> String? {
    if let folder = environment("XDG_CONFIG_HOME"), folder.hasPrefix("/") { return folder + "/perilune/storage.json" }
    guard let home = environment("HOME"), !home.isEmpty else { return nil }
    return home + "/.config/perilune/storage.json"
  }

  /// The folder of the file; nil for values in memory.
  public var folder: String? { disk?.folder }

  /// Whether there are observers.
  public var isFollowed: Bool { !observers.isEmpty }

  /// Reads the changes that other processes have made since the last call, and notifies observers; takes a microsecond
  /// if there are none.
  ///
  /// Unwritten changes of this process stay. A file that another program is just writing in place is ignored.
  public func refresh() {
    guard isRead, isFollowed, let disk, disk.version != version else { return }
    let found = disk.version
    var new = PreferenceTable()
    if found != nil {
      guard let bytes = try? disk.read(), let read = PreferenceTable(bytes) else { return }
      new = read
    }
    let before = table
    version = found
    for (key, value) in unwritten { new[key] = value }
    table = new
    tellChanges(since: before)
  }

  /// Writes the changes since the last call.
  public func save() {
    guard keepsChanges, !unwritten.isEmpty, let disk else { return }
    do {
      let before = table
      try disk.locked {
        var new = try read(disk, isLocked: true)
        for (key, value) in unwritten { new[key] = value }
        try disk.write(try new.bytes())
        version = disk.version
        table = new
      }
      unwritten = [:]
      tellChanges(since: before)
    } catch {
      report(.unwritable(path: disk.path, reason: Self.reason(of: error)))
    }
  }

  subscript(key: PreferenceKeyPath) -> PreferenceValue? {
    get {
      readAtFirst()
      return table[key]
    }
    set {
      readAtFirst()
      let old = table[key]
      guard old != newValue else { return }
      table[key] = newValue
      if path != nil, keepsChanges { unwritten.updateValue(newValue, forKey: key) }
      tell(key, newValue, old)
      if writesAtOnce { save() }
    }
  }

  /// Registers `body` to be called after every change of the value under a key.
  func onChange(_ key: PreferenceKeyPath, _ body: @escaping (PreferenceValue?) -> Void) -> ObservationToken {
    let id = observers[key, default: ChangeObservers()].add(name: { key.name }) { new, _ in body(new) }
    return ObservationToken { [weak self] in
      self?.observers[key]?.remove(id)
      if self?.observers[key]?.all.isEmpty == true { self?.observers[key] = nil }
    }
  }

  func report(_ problem: PreferenceProblem) {
    if told.insert(problem).inserted { onProblem(problem) }
  }

  private func readAtFirst() {
    guard !isRead, let disk else { return }
    isRead = true
    version = disk.version
    do { table = try read(disk, isLocked: false) } catch {
      report(.unreadable(path: disk.path, reason: Self.reason(of: error)))
    }
  }

  /// The file's content; empty if it does not exist or had to be renamed.
  private func read(_ disk: PreferenceDisk, isLocked: Bool) throws -> PreferenceTable {
    guard let bytes = try disk.read() else { return PreferenceTable() }
    if let table = PreferenceTable(bytes) { return table }
    guard keepsChanges else {
      report(.unreadable(path: disk.path, reason: "it is damaged"))
      return PreferenceTable()
    }
    // Another process may be about to rename it, too.
    guard isLocked else { return try disk.locked { try read(disk, isLocked: true) } }
    report(.damaged(path: disk.path, movedTo: try disk.moveAside()))
    return PreferenceTable()
  }

  private static func reason(of error: any Error) -> String {
    (error as? PreferenceDisk.Failure)?.reason ?? String(describing: error)
  }

  private func tellChanges(since before: PreferenceTable) {
    for key in observers.keys where before[key] != table[key] { tell(key, table[key], before[key]) }
  }

  private func tell(_ key: PreferenceKeyPath, _ new: PreferenceValue?, _ old: PreferenceValue?) {
    guard let observers = observers[key] else { return }
    for observer in observers.all where self.observers[key]?.contains(observer.id) == true { observer.body(new, old) }
  }
}
