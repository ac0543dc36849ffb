//! Define every option once; layer defaults, file, environment, flags; say where a value came from.
