#!/usr/bin/env bash
# Bundles the page, checks its types, and plays with it in Chromium.
#   TENDRIL_PICTURES=FOLDER web/test.sh    leaves screenshots there
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
./build.sh --tests
npm run --silent check
npm run --silent test
