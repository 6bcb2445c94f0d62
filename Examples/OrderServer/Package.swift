// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "OrderServer",
  dependencies: [.package(name: "perilune", path: "../..")],
  targets: [
    .executableTarget(
      name: "OrderServer",
      dependencies: [
        .product(name: "PeriluneConsole", package: "perilune"), .product(name: "PeriluneKit", package: "perilune"),
      ])
  ]
)
