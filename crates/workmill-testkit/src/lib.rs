//! For tests only: a database per test, a fake clock, test points, factories.
