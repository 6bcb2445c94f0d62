/// A key as a full screen understands it.
package enum Key: Equatable, Sendable {
  /// Characters that were typed, or part of one: a combining mark comes by itself.
  case text(String)
  /// A piece of pasted text, newlines included.
  case pasted(String)
  /// Ctrl with a small letter or one of `@ [ \ ] ^ _`.
  case control(Character)
  /// Alt, or Esc and a key right after it.
  case alt(Character)
  case up, down, left, right
  case wordLeft, wordRight
  case home, end, pageUp, pageDown
  case insert, delete, backspace
  case tab, backTab, enter, escape
  /// F1 to F20.
  case function(Int)
  /// Bytes that mean nothing.
  case unknown
}
