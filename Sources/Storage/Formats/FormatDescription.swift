/// What a file says of itself, as far as its kind knows it.
struct FormatDescription {
  /// What tells the store from all others.
  var uuid: String?
  /// The version of our own format.
  var formatVersion: Int?
  /// The version of the framework that wrote it last.
  var frameworkVersion: Int?
  /// Whether the app keeps a history.
  var hasHistoryTables = false
  /// Why the store cannot be written even where that is asked for.
  var obstacle: CoreDataObstacle?
  /// Why single entities cannot be written.
  var entityObstacles: [CoreDataObstacle] = []
}
