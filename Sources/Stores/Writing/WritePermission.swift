/// What a connection may write.
package enum WritePermission: Sendable {
  case everything
  /// Transactions that are rolled back, to learn what the store refuses.
  case rehearsals
  case nothing
}
