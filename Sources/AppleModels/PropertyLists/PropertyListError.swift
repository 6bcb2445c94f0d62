/// An error in a binary property list, as a fact.
public enum PropertyListError: Error, Hashable, Sendable {
  /// The bytes are no binary property list.
  case notAPropertyList
  /// The table of offsets, or the object it should have, lies outside of the bytes.
  case cutOff
  /// At the offset begins no object.
  case unknownMarker(UInt8, offset: Int)
  /// A reference leads to no object.
  case unknownReference(offset: Int)
  /// Plain text whose bytes are no ASCII.
  case invalidText(offset: Int)
  /// Objects lie in one another, so that they are more than the bytes can hold.
  case overlapping
}
