/// The value of a row's column, without a copy: text and blobs are valid until the next step.
public enum ColumnValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(UnsafeRawBufferPointer)
  case blob(UnsafeRawBufferPointer)
}
