import Foundation
import Modeling
import TestSupport

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// A store in a file whose history is on, and what it tells in a line a change.
final class HistorySample {
  let folder: TemporaryFolder
  let path: String
  private(set) var store: SQLiteStore

  /// Quakes with ordered reports and tags, and vehicles in a hierarchy; deleted quakes leave their code and time.
  static func descriptions() throws -> [EntityDescription] {
    try Sample.model().descriptions.map { description in
      guard description.name == "Quake" else { return description }
      var quake = description
      for (index, property) in quake.properties.enumerated() {
        guard var attribute = property.attribute, ["code", "time", "depth", "raw"].contains(attribute.name) else {
          continue
        }
        attribute.preservesValueInHistoryOnDeletion = true
        quake.properties[index] = .attribute(attribute)
      }
      return quake
    }
  }

  init(_ descriptions: [EntityDescription]? = nil, history: Bool? = true) throws {
    folder = try TemporaryFolder()
    path = folder.file("history.sqlite")
    var options = StoreOptions(path: path)
    options.create = true
    options.model = try Model(try descriptions ?? Self.descriptions())
    options.history = history
    store = try SQLiteStore(options)
  }

  /// Another connection to the same file.
  func another(_ change: (inout StoreOptions) -> Void = { _ in }) throws -> SQLiteStore {
    var options = StoreOptions(path: path)
    change(&options)
    return try SQLiteStore(options)
  }

  /// Closes the store and opens it anew.
  func reopen(_ change: (inout StoreOptions) -> Void = { _ in }) throws {
    store.close()
    store = try another(change)
  }

  func entity(_ name: String) -> Entity { store.model.entity(named: name)! }

  /// Runs SQL as a script's `store:sql` does.
  func sql(_ text: String) throws {
    let cursor = try store.sql(text)
    while try cursor.step() {}
    cursor.close()
  }

  /// The transactions, each as its changes.
  func told(_ change: (inout HistoryRequest) -> Void = { _ in }) throws -> [String] {
    try store.told(change)
  }
}

extension SQLiteStore {
  func told(_ change: (inout HistoryRequest) -> Void = { _ in }) throws -> [String] {
    var request = HistoryRequest()
    change(&request)
    return try history(request).map { $0.changes.map(\.line).joined(separator: "; ") }
  }
}

extension HistoryChange {
  /// `update Quake/1: code, time`, `delete Quake/1 { code = "us1" }`
  var line: String {
    var text = "\(kind.rawValue) \(entityName)/\(key)"
    if !updatedProperties.isEmpty { text += ": \(updatedProperties.joined(separator: ", "))" }
    let values = tombstone.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value.debugText)" }
    return values.isEmpty ? text : "\(text) { \(values.joined(separator: ", ")) }"
  }
}
