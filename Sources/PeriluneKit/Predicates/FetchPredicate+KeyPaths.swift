internal import Modeling
internal import Queries

// Comparisons of key paths, as conditions. Each key path is a property of the class, or an element of a composite.

private func compare<Object: ManagedObject>(
  _ keyPath: KeyPath<Object, some Any>, _ comparator: Comparator, _ value: AnyValue
) -> FetchPredicate<Object> {
  FetchPredicate(catching: {
    let path = PropertyPath(dotted: try Object.propertyName(of: keyPath))
    return .comparison(Comparison(.path(path), comparator, .argument(value)))
  })
}

/// True for objects whose value equals `value`: `\.place == "Temuco"`, `\.mainshock == quake`; with nil for those
/// without a value.
public func == <Object: ManagedObject, Value: PredicateValue>(
  keyPath: KeyPath<Object, Value>, value: Value
) -> FetchPredicate<Object> {
  compare(keyPath, .equal, value.predicateValue)
}

/// True for objects with another value than `value`; with nil for those with a value.
public func != <Object: ManagedObject, Value: PredicateValue>(
  keyPath: KeyPath<Object, Value>, value: Value
) -> FetchPredicate<Object> {
  compare(keyPath, .notEqual, value.predicateValue)
}

/// True for objects whose value is less than `value`.
public func < <Object: ManagedObject, Value: AttributeValue & Comparable>(
  keyPath: KeyPath<Object, Value>, value: Value
) -> FetchPredicate<Object> {
  compare(keyPath, .less, value.predicateValue)
}

/// True for objects whose value is less than `value`.
public func < <Object: ManagedObject, Value: AttributeValue & Comparable>(
  keyPath: KeyPath<Object, Value?>, value: Value
) -> FetchPredicate<Object> {
  compare(keyPath, .less, value.predicateValue)
}

/// True for objects whose value is `value` or less.
public func <= <Object: ManagedObject, Value: AttributeValue & Comparable>(
  keyPath: KeyPath<Object, Value>, value: Value
) -> FetchPredicate<Object> {
  compare(keyPath, .lessOrEqual, value.predicateValue)
}

/// True for objects whose value is `value` or less.
public func <= <Object: ManagedObject, Value: AttributeValue & Comparable>(
  keyPath: KeyPath<Object, Value?>, value: Value
) -> FetchPredicate<Object> {
  compare(keyPath, .lessOrEqual, value.predicateValue)
}

/// True for objects whose value is greater than `value`.
public func > <Object: ManagedObject, Value: AttributeValue & Comparable>(
  keyPath: KeyPath<Object, Value>, value: Value
) -> FetchPredicate<Object> {
  compare(keyPath, .greater, value.predicateValue)
}

/// True for objects whose value is greater than `value`.
public func > <Object: ManagedObject, Value: AttributeValue & Comparable>(
  keyPath: KeyPath<Object, Value?>, value: Value
) -> FetchPredicate<Object> {
  compare(keyPath, .greater, value.predicateValue)
}

/// True for objects whose value is `value` or greater.
public func >= <Object: ManagedObject, Value: AttributeValue & Comparable>(
  keyPath: KeyPath<Object, Value>, value: Value
) -> FetchPredicate<Object> {
  compare(keyPath, .greaterOrEqual, value.predicateValue)
}

/// True for objects whose value is `value` or greater.
public func >= <Object: ManagedObject, Value: AttributeValue & Comparable>(
  keyPath: KeyPath<Object, Value?>, value: Value
) -> FetchPredicate<Object> {
  compare(keyPath, .greaterOrEqual, value.predicateValue)
}
