#!/bin/bash
set -euo pipefail
source ./lib.sh

LIMIT=10

# Prints a greeting.
greet() {
  local name=$1
  echo "hello $name"
  format "$name" | tr a b
}

function build {
  if greet world; then
    make all
  fi
}

greet "$@"
