#!/usr/bin/env bash
# Prints a .env for docker-compose.yml with new secrets. The secret key seals the providers' keys in
# the database: who loses it has to enter them again.
set -euo pipefail

random() { head -c "$1" /dev/urandom; }

echo "POSTGRES_PASSWORD=$(random 24 | od -An -tx1 | tr -d ' \n')"
echo "NETA_ADMIN_TOKEN=$(random 32 | od -An -tx1 | tr -d ' \n')"
echo "NETA_SECRET_KEY=$(random 32 | base64 | tr -d '\n')"
