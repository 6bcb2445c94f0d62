/// A file's description of itself, as far as its format has one.
struct FormatDescription {
  /// The unique identifier of the store.
  var uuid: String?
  /// The version of Perilune's own format.
  var formatVersion: Int?
  /// The version of the framework that wrote the store last.
  var frameworkVersion: Int?
  /// Whether the app keeps a history.
  var hasHistoryTables = false
  /// The reason why the store cannot be written, even on request.
  var obstacle: CoreDataObstacle?
  /// The reasons why single entities cannot be written.
  var entityObstacles: [CoreDataObstacle] = []
  /// The virtual tables that triggers write, so that saves cannot be undone.
  var virtualTables: [String] = []
}
