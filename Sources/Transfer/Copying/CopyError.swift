package import Modeling

/// Why objects cannot be copied as asked.
package enum CopyError: Error, Equatable {
  /// The source has no entity of the name.
  case unknownEntity(String, nearest: String?)
  /// The text is neither an entity nor an entity with a condition.
  case wrongRequest(String)
  /// The source has no relationship of the name.
  case unknownRelationship(String, nearest: String?)
  /// Relationships of several entities have the name.
  case ambiguousRelationship(String, [String])
  /// The share is not above 0 and up to 1.
  case wrongSample(Double)
  /// The path of a mask names no attribute.
  case unknownMaskedAttribute(String, nearest: String?)
  /// There is no mask of the name.
  case unknownMask(String, nearest: String?)
  /// Values of the attribute's type are masked by others: the attribute, its type, the mask, those that fit.
  case unfitMask(String, String, String, [String])
  /// The attribute is computed from others.
  case derivedIsMasked(String)
  /// The attribute must have a value, which the mask nil takes away.
  case mandatoryIsMasked(String)
  /// Values of the attribute are unique, and those of the mask are not.
  case uniqueIsMasked(String, String)
  /// The attribute repeats the key to which a relationship leads: the attribute, the relationship, its destination.
  case referenceIsMasked(String, String, String)
  /// The object with the key has a value that the mask is not for.
  case unfitValue(String, key: Int64, String)
  /// The secret has no characters.
  case emptySecret
  /// No mask of the value keeps the rules of the attribute: the object's key, the mask, and the rule that the last one breaks.
  case maskBreaksRule(String, key: Int64, String, Violation)
  /// These relationships are mandatory and lead from one to the next and back to the first, so that no row can be the first one.
  case mandatoryCycle([String])
}
