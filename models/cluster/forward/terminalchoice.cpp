// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/forward/terminalchoice.h"

#include <QProcess>

#include <array>

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

/// What stands between a terminal's name and the words of the command, which all of these take one by one.
struct Terminal {
    QLatin1StringView program;
    QLatin1StringView before; ///< separated by blanks
    QLatin1StringView desktop = {}; ///< part of $XDG_CURRENT_DESKTOP where it is at home
};
// In the order in which they are looked for; x-terminal-emulator is Debian's name of what the machine's user chose.
constexpr std::array terminals{
    Terminal{"x-terminal-emulator"_L1, "-e"_L1},
    Terminal{"ptyxis"_L1, "--new-window --"_L1, "GNOME"_L1},
    Terminal{"kgx"_L1, "--"_L1, "GNOME"_L1},
    Terminal{"gnome-terminal"_L1, "--"_L1, "GNOME"_L1},
    Terminal{"konsole"_L1, "-e"_L1, "KDE"_L1},
    Terminal{"xfce4-terminal"_L1, "-x"_L1, "XFCE"_L1},
    Terminal{"mate-terminal"_L1, "-x"_L1, "MATE"_L1},
    Terminal{"qterminal"_L1, "-e"_L1, "LXQt"_L1},
    Terminal{"kitty"_L1, "--"_L1},
    Terminal{"alacritty"_L1, "-e"_L1},
    Terminal{"wezterm"_L1, "start --"_L1},
    Terminal{"ghostty"_L1, "-e"_L1},
    Terminal{"foot"_L1, ""_L1},
    Terminal{"urxvt"_L1, "-e"_L1},
    Terminal{"st"_L1, "-e"_L1},
    Terminal{"xterm"_L1, "-e"_L1},
};

const Terminal* find(const QString& program)
{
    const QString name = program.section(u'/', -1);
    for (const Terminal& terminal : terminals) {
        if (terminal.program == name)
            return &terminal;
    }
    return nullptr;
}

QStringList wordsOf(const QString& program, const QStringList& own, const QStringList& command)
{
    const Terminal* terminal = find(program);
    const QString before = terminal ? QString(terminal->before) : u"-e"_s; // what nearly all others take
    return QStringList{program} + own + before.split(u' ', Qt::SkipEmptyParts) + command;
}

/// "kitty --single-instance", "myterm --run {command}".
Result<QStringList> chosen(
    const QString& line, const QStringList& command, const std::function<bool(const QString&)>& isInstalled)
{
    const QStringList words = QProcess::splitCommand(line);
    if (words.isEmpty() || !isInstalled(words.first()))
        return fail(Fault::Invalid, u"The terminal program %1 is not installed."_s.arg(words.value(0, line)), {},
            u"Choose another one, or leave the choice empty."_s);
    const qsizetype at = words.indexOf(u"{command}"_s);
    if (at >= 0)
        return QStringList(words.first(at) + command + words.mid(at + 1));
    return wordsOf(words.first(), words.mid(1), command);
}

} // namespace

Result<QStringList> terminalWords(
    const TerminalChoice& choice, const QStringList& command, const std::function<bool(const QString&)>& isInstalled)
{
    if (!choice.setting.trimmed().isEmpty())
        return chosen(choice.setting.trimmed(), command, isInstalled);
    // A leftover in the environment is not a request that must be met.
    if (const QString own = choice.environment.trimmed(); !own.isEmpty()) {
        if (const auto words = chosen(own, command, isInstalled))
            return words;
    }
    const auto tryAll = [&](bool atHome) -> QStringList {
        for (const Terminal& terminal : terminals) {
            const bool isAtHome
                = !terminal.desktop.isEmpty() && choice.desktop.contains(terminal.desktop, Qt::CaseInsensitive);
            if (isAtHome == atHome && isInstalled(terminal.program))
                return wordsOf(terminal.program, {}, command);
        }
        return {};
    };
    for (const bool atHome : {true, false}) {
        if (const QStringList words = tryAll(atHome); !words.isEmpty())
            return words;
    }
    return fail(Fault::Invalid, u"No terminal program was found on this computer."_s, {},
        u"Choose one, or copy the line and run it in a terminal."_s);
}

QStringList keptOpen(const QStringList& command)
{
    static const QString keep
        = u"\"$@\"; s=$?; [ $s -eq 0 ] || { printf '\\nThis ended with status %s. Enter closes the window. ' \"$s\"; "
          "read -r _; }; exit $s"_s;
    return QStringList{u"sh"_s, u"-c"_s, keep, u"sh"_s} + command;
}

} // namespace rankwright::inline cluster
