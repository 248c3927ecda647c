// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Options of every networked command, as CliCommand::options wants them.
#define RANKWRIGHT_LOGIN_OPTIONS "host= port= user= identity=+ jump= known-hosts= config= password-fd= data-dir="
