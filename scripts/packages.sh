# shellcheck shell=bash disable=SC2034
# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by scripts/demo, scripts/test and scripts/lint: the Debian 12 / Ubuntu 24.04 packages that Rankwright is built from, tested
# with and demonstrated on, and one function that installs those that are missing.

build_packages=(
    g++ lld cmake ninja-build ccache git
    qt6-base-dev qt6-base-dev-tools libqt6sql6-sqlite libsqlite3-dev qt6-svg-dev libqt6svg6 qt6-qpa-plugins
    libgl-dev libvulkan-dev libssh-dev libqscintilla2-qt6-dev libqcustomplot-dev libcli11-dev
    fonts-inter fonts-jetbrains-mono fonts-dejavu-core
)
# The practice cluster: a real Slurm with accounting, a real sshd, a real PyTorch.
practice_packages=(
    slurm-wlm slurmdbd mariadb-server munge openssh-server openssh-client
    python3 python3-torch python3-numpy iproute2 procps util-linux
)
test_packages=(shellcheck xvfb xauth clang-format)
lint_packages=(clang-format clang-tidy shellcheck)

is_installed() {
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# install_missing NAME...: asks for sudo only when something is missing and we are not root.
install_missing() {
    local missing=() name
    for name in "$@"; do
        is_installed "$name" || missing+=("$name")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    if ! command -v apt-get >/dev/null; then
        echo "rankwright: these Debian packages are missing and there is no apt-get here: ${missing[*]}" >&2
        return 1
    fi
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || {
            echo "rankwright: run as root, or install sudo, or run yourself: apt-get install ${missing[*]}" >&2
            return 1
        }
        as_root=(sudo)
    fi
    echo "rankwright: installing ${#missing[@]} missing packages: ${missing[*]}"
    # The system services that some of them bring are neither needed nor wanted: the practice cluster runs its own.
    local policy=/usr/sbin/policy-rc.d made_policy=false log ok=true
    log=$(mktemp)
    if [ ! -e $policy ]; then
        printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee $policy >/dev/null
        "${as_root[@]}" chmod 755 $policy
        made_policy=true
    fi
    { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 || ok=false
    $made_policy && "${as_root[@]}" rm -f $policy
    if ! $ok; then
        tail -n 20 "$log" >&2
        echo "rankwright: apt-get failed; its whole output is in $log" >&2
        return 1
    fi
    rm -f "$log"
    disable_new_services "${missing[@]}"
}

# disable_new_services NAME...: what we have just installed shall not start at the next boot either.
disable_new_services() {
    [ -d /run/systemd/system ] || return 0
    local name
    for name in "$@"; do
        case $name in
        slurm-wlm) "${as_root[@]}" systemctl disable --quiet slurmctld slurmd || true ;;
        slurmdbd | munge) "${as_root[@]}" systemctl disable --quiet "$name" || true ;;
        mariadb-server) "${as_root[@]}" systemctl disable --quiet mariadb || true ;;
        openssh-server) "${as_root[@]}" systemctl disable --quiet ssh ssh.socket 2>/dev/null || true ;;
        esac
    done
}

# configure_and_build PRESET [TARGET...]
configure_and_build() {
    local preset=$1
    shift
    local log=build/$preset.configure.log
    mkdir -p build
    if ! cmake --preset "$preset" >"$log" 2>&1; then
        tail -n 30 "$log" >&2
        return 1
    fi
    echo "rankwright: building ($preset) ..."
    NINJA_STATUS="[%f/%t %es] " cmake --build --preset "$preset" "$@"
}
