/// What some stores can do and others cannot.
public enum StoreAbility: Hashable, Sendable {
  /// To be copied, as it is, to a new file.
  case backup
  /// To be given another entity while it is open.
  case addEntities
}
