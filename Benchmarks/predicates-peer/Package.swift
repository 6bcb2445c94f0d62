// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "predicates-peer",
  dependencies: [.package(name: "Perilune", path: "../..")],
  targets: [
    .executableTarget(
      name: "predicates-peer",
      dependencies: [
        .product(name: "Modeling", package: "Perilune"), .product(name: "Queries", package: "Perilune"),
      ])
  ]
)
