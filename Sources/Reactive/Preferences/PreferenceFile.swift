internal import Glibc

/// Values that last from one run to the next, in a file that several processes share.
///
///     let file = PreferenceFile(path: PreferenceFile.standardPath { getenv($0).map { String(cString: $0) } })
///     let minimum = AppStorage("minimum", 5, in: file)
///     minimum.value = 6                                    // 6 in the next run, too
///
/// Each write takes over what other processes have written meanwhile; of one value the last write counts. A file that
/// cannot be understood is moved aside, never overwritten. Each problem is reported to `onProblem` once, and the
/// values stay in memory. Without a path they live in memory alone.
public final class PreferenceFile {
  /// Called with each problem.
  public var onProblem: (PreferenceProblem) -> Void = { _ in }
  /// Whether each change is written at once; else `save()` writes them.
  public var writesAtOnce = true
  /// Whether changes are written at all; else they are forgotten at the end.
  public let keepsChanges: Bool

  private let path: String?
  /// Found when it is first needed, as that asks the system.
  private lazy var disk = path.map { PreferenceDisk(path: $0) }
  private var table = PreferenceTable()
  private var isRead = false
  /// The version of the file that the values were read from, or written as.
  private var version: PreferenceDisk.Version?
  private var unwritten: [PreferenceKeyPath: PreferenceValue?] = [:]
  private var observers: [PreferenceKeyPath: ChangeObservers<PreferenceValue?>] = [:]
  private var told: Set<PreferenceProblem> = []

  /// The file at a path, which need not be there; with none, values are kept in memory.
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

  /// The folder that the file is in; nil for values in memory.
  public var folder: String? { disk?.folder }

  /// Whether anything is told of changes.
  public var isFollowed: Bool { !observers.isEmpty }

  /// Takes over what other processes have written since the last look, and tells of it; a microsecond if there is nothing.
  ///
  /// Changes of one's own that are not written yet stay. A file that is being written by something else than this type is
  /// not understood and left alone.
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

  /// Writes what was changed since the last time.
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

  /// What the file has; nothing if it is not there, or had to be moved aside.
  private func read(_ disk: PreferenceDisk, isLocked: Bool) throws -> PreferenceTable {
    guard let bytes = try disk.read() else { return PreferenceTable() }
    if let table = PreferenceTable(bytes) { return table }
    guard keepsChanges else {
      report(.unreadable(path: disk.path, reason: "it is damaged"))
      return PreferenceTable()
    }
    // Another process may be about to do the same.
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
