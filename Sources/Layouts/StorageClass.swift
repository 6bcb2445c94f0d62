/// SQLite's storage classes.
public enum StorageClass: UInt8, Sendable {
  case null = 0
  case integer = 1
  case real = 2
  case text = 3
  case blob = 4
}
