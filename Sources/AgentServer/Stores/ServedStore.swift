internal import Layouts
internal import LuaBindings
internal import Modeling
internal import Queries
internal import Session
internal import Stores

/// A store of the command line, for the calls of tools.
///
/// Reading tools share a session, in which no script runs. Each script has a session of its own, so that nothing is left of it.
final class ServedStore {
  /// The name that the parameter `store` takes.
  let name: String
  let path: String
  private let limits: ServerLimits
  private let hidden: [HiddenProperty]
  private var reading: ToolSession?

  init(path: String, name: String, hiding hidden: [HiddenProperty], limits: ServerLimits) {
    (self.path, self.name, self.hidden, self.limits) = (path, name, hidden, limits)
  }

  /// The model with the hidden properties, and whether one of them identifies rows.
  ///
  /// - Throws: ToolFailure where the store cannot be opened.
  func wholeModel() throws(ToolFailure) -> (model: Model, identifies: (Entity, Int) -> Bool)? {
    let session = try session(.reading, hiding: [])
    defer { session.close() }
    guard let store = session.engine.store else { return nil }
    let layouts = Dictionary(uniqueKeysWithValues: store.model.entities.map { ($0, store.layout(of: $0)) })
    return (
      store.model,
      { entity, index in
        guard let layout = layouts[entity] else { return false }
        let columns = layout.properties[index].ownColumns
        return columns.contains { layout.primaryKey.contains($0) || layout.key.names.contains(layout.columns[$0].name) }
      }
    )
  }

  /// The session of reading tools.
  ///
  /// - Throws: ToolFailure where the store cannot be opened.
  func readingSession() throws(ToolFailure) -> ToolSession {
    if let reading { return reading }
    let made = try session(.reading)
    reading = made
    return made
  }

  /// A new session.
  ///
  /// - Throws: ToolFailure where the store cannot be opened.
  func session(_ purpose: ToolSession.Purpose) throws(ToolFailure) -> ToolSession {
    try session(purpose, hiding: hidden)
  }

  private func session(
    _ purpose: ToolSession.Purpose, hiding hidden: [HiddenProperty]
  ) throws(ToolFailure) -> ToolSession {
    let session = try ToolSession(purpose, hiding: hidden, limits)
    var options = StoreOptions(path: path)
    options.readOnly = purpose == .reading
    options.writesCoreData = purpose != .reading
    try session.open(options)
    return session
  }

  func close() {
    reading?.close()
    reading = nil
  }
}

/// The limits of each call.
package struct ServerLimits {
  /// The longest time, in seconds.
  package var seconds = 5.0
  /// The most memory that a call may add to the process, in bytes.
  package var memory = 256 << 20

  package init() {}

  /// The characters of an answer, where a call asks for no other number.
  static let characters = 20_000
}

extension KeyLayout {
  /// The names of the columns that identify rows.
  fileprivate var names: [String] {
    switch self {
    case .rowID(let name): [name]
    case .columns(let names): names
    }
  }
}
