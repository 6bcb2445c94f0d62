internal import Stores

extension SaveDirection {
  var verb: String { self == .undo ? "undo" : "redo" }
  var participle: String { self == .undo ? "undone" : "redone" }
}

extension UndoObstacle {
  var sentence: String {
    switch self {
    case .tooLarge: "it wrote too much for its inverse to be kept"
    case .schemaChanged(let table?): "the table \(table) was changed since"
    case .schemaChanged: "it changed the tables themselves"
    case .virtualTable(let table): "the rows of \(table) belong to a virtual table or cannot be told apart"
    case .unreadable: "its changes could not be read"
    case .externalFiles: "it removed files with data beside the store"
    }
  }
}

extension ReversalConflict {
  var sentence: String {
    switch reason {
    case .changed(let properties) where properties.isEmpty: "\(entity) \(key) was changed"
    case .changed(let properties): "\(entity) \(key) has another \(ErrorReport.list(properties))"
    case .deleted: "\(entity) \(key) was deleted"
    case .insertedAgain: "there is another \(entity) \(key)"
    case .referredTo(let other): "\(entity) \(key) would be deleted, but \(other) refers to it"
    case .leadsNowhere(let other): "\(entity) \(key) would refer to \(other), which was deleted"
    }
  }
}
