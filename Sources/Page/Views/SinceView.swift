internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Stores

/// What has changed since a moment, by the history of the store: transactions with time and author, the newest first.
///
/// The moment is a token of the history or a time.
struct SinceView {
  private let moment: String
  private let entity: Entity?
  private let store: PageStore

  /// The changes that are shown.
  private static let most = 200

  init(_ moment: String, of entity: Entity?, in store: PageStore) {
    (self.moment, self.entity, self.store) = (moment, entity, store)
  }

  /// The transactions since the moment, the newest first, as many as have the changes that are shown.
  private struct Found {
    var transactions: [HistoryTransaction] = []
    /// The token of the last transaction, since which the next question can ask.
    var token: HistoryToken
    var isCut = false
  }

  private func found() throws -> Found {
    guard let keeper = store.session.engine.store else { throw PageProblem.noPage }
    var request = HistoryRequest()
    (request.entity, request.includesChanges) = (entity, false)
    var earliest: Timestamp?
    if let number = Int64(moment) {
      request.since = HistoryToken(number: number)
    } else if let time = Timestamp(iso8601: moment) {
      earliest = time
    } else {
      throw PageProblem.noMoment(moment)
    }
    return try store.reading {
      var found = Found(token: try keeper.currentHistoryToken)
      var left = Self.most
      for transaction in try keeper.history(request).reversed() {
        if let earliest, transaction.date < earliest { break }
        guard left > 0 else {
          found.isCut = true
          break
        }
        var whole = transaction
        whole.changes = try keeper.historyChanges(of: transaction, entity: entity)
        left -= whole.changes.count
        found.transactions.append(whole)
      }
      return found
    }
  }

  /// A field for a moment; nothing where the store keeps no history.
  static func form(_ moment: String?, in store: PageStore) -> HTML {
    guard (try? store.session.engine.store?.currentHistoryToken) != nil else { return .nothing }
    return .tag(
      "form", ["action": "/", "class": "ask"],
      [
        .tag("label", ["for": "since"], "changes since"),
        .tag(
          "input",
          [
            "type": "text", "name": "since", "id": "since", "value": moment ?? "",
            "placeholder": "2024-05-01T12:00:00Z",
          ]),
        .tag("button", [:], "Show"),
      ])
  }

  func html() throws -> HTML {
    let found = try found()
    let items = found.transactions.map { transaction -> HTML in
      let by = [transaction.author, transaction.contextName].compactMap(\.self).joined(separator: ", ")
      let changes = transaction.changes.prefix(Self.most).map { HTML.tag("li", ["class": line($0)], text(of: $0)) }
      return .group([
        .tag("h3", [:], transaction.date.iso8601 + (by.isEmpty ? "" : " by \(by)")),
        .tag("ul", ["class": "changes"], changes),
      ])
    }
    var next = RowsAddress(entity?.name ?? "")
    next.since = String(found.token.number)
    let end = found.isCut ? "there are more before these" : items.isEmpty ? "nothing has changed" : ""
    return .tag(
      "section", ["class": "since"],
      [.tag("h2", [:], "Since \(moment)")] + items + [
        .tag("p", ["class": "note"], end),
        .tag("p", [:], [.tag("a", ["href": next.text()], "from now on")]),
      ])
  }

  private func line(_ change: HistoryChange) -> String {
    switch change.kind {
    case .insert: "inserted-line"
    case .update: "changed-line"
    case .delete: "deleted-line"
    }
  }

  private func text(of change: HistoryChange) -> [HTML] {
    let sign = [HistoryChange.Kind.insert: "+ ", .update: "~ ", .delete: "- "][change.kind] ?? ""
    let properties = change.updatedProperties.isEmpty ? "" : ": " + change.updatedProperties.joined(separator: ", ")
    guard let object = object(change) else { return [.text("\(sign)\(change.entityName)/\(change.key)\(properties)")] }
    return [.text(sign), .link(.object(store.address(of: object)), ObjectText.name(of: object)), .text(properties)]
  }

  /// The object, if it is still there.
  private func object(_ change: HistoryChange) -> ManagedObject? {
    guard change.kind != .delete, let id = change.objectID else { return nil }
    return try? store.context().existingObject(id)
  }

  func json() throws -> String {
    let found = try found()
    func text(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }
    let transactions = found.transactions.map { transaction in
      JSON.object([
        "token": .int(transaction.token.number), "time": .string(transaction.date.iso8601),
        "author": text(transaction.author), "context": text(transaction.contextName),
        "changes": .array(
          transaction.changes.map { change in
            .object([
              "kind": .string(change.kind.rawValue), "id": .string("\(change.entityName)/\(change.key)"),
              "properties": .array(change.updatedProperties.map(JSON.string)),
            ])
          }),
      ])
    }
    return JSON.object([
      "ok": .bool(true), "token": .int(found.token.number), "isCut": .bool(found.isCut),
      "transactions": .array(transactions),
    ]).outputText + "\n"
  }
}
