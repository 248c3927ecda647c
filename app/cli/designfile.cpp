// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/designfile.h"

#include "app/cli/inputstream.h"
#include "models/planner/estimate/network/modelchoice.h"
#include "models/script/document/authoredit.h"
#include "models/script/document/designjson.h"

#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

constexpr qsizetype largestDesign
    = 16 * 1024 * 1024; // a design is a few kilobytes; a wrong file must not fill the memory

/// The command's first word names a file, or - for standard input.
struct NamedInput {
    QString name; ///< for messages
    QByteArray bytes;
};

Result<NamedInput> readFirst(const CliContext& context)
{
    const QString path = context.positional.value(0);
    const QString name = inputName(path);
    const Result<QByteArray> bytes = readInput(path, name);
    if (!bytes)
        return fail(bytes.error());
    return NamedInput{name, *bytes};
}

} // namespace

Result<QByteArray> readInput(const QString& path, const QString& name)
{
    InputStream input(path);
    if (const auto open = input.open(); !open)
        return fail(open.error());
    auto bytes = input.readAll(largestDesign);
    if (!bytes && bytes.error().fault == Fault::Unreadable)
        return fail(Fault::Unreadable, name + u": too large for a design or a script"_s, u"more than 16 MiB"_s,
            u"check the path"_s);
    return bytes;
}

Result<LoadedDesign> loadDesign(const CliContext& context)
{
    const Result<NamedInput> input = readFirst(context);
    if (!input)
        return fail(input.error());
    return loadDesign(context, input->name, input->bytes);
}

Result<LoadedDesign> loadDesign(const CliContext& context, const QString& name, const QByteArray& bytes)
{
    Result<ReadDesign> read = readDesign(bytes, name);
    if (!read)
        return fail(read.error());
    for (const QString& member : read->unknownMembers)
        context.err
            << u"rankwright-cli: warning: %1: unknown-member: “%2” is not a member of a design: it changes nothing\n"_s
                   .arg(name, member.startsWith(u"$.") ? member.mid(2) : member);
    const ClusterProfile* profile = context.catalogue.find(read->spec.cluster);
    if (profile == nullptr) {
        return fail(Fault::Invalid, u"%1: $.cluster: “%2” is not in the catalogue"_s.arg(name, read->spec.cluster), {},
            u"choose one of "_s + context.catalogue.names().join(u", "_s));
    }
    auto spec = withFieldsInText(read->spec, *profile);
    if (!spec) {
        return fail(Fault::Invalid,
            u"%1: $.%2 cannot be set in the design's script: %3"_s.arg(name, spec.error().path, spec.error().why.what),
            spec.error().why.detail, u"change it in the text of the script, or undo the change"_s);
    }
    // A model's configuration lies beside the design that names it.
    spec->model = withAbsolutePath(spec->model, QFileInfo(name).path());
    return LoadedDesign{name, resolve(*spec, *profile), profile, read->unknownMembers};
}

Result<ScriptBytes> loadScript(const CliContext& context)
{
    const Result<NamedInput> input = readFirst(context);
    if (!input)
        return fail(input.error());
    const QByteArray& bytes = input->bytes;
    if (const qsizetype zero = bytes.indexOf('\0'); zero >= 0) {
        return fail(Fault::Unreadable, input->name + u": not text"_s,
            u"byte %1 (line %2) is zero"_s.arg(zero).arg(bytes.left(zero).count('\n') + 1),
            u"give a batch script as plain text"_s);
    }
    if (bytes.trimmed().isEmpty())
        return fail(Fault::Unreadable, input->name + u": line 1: the file is empty"_s, {}, u"give a batch script"_s);
    return ScriptBytes::read(bytes);
}

} // namespace rankwright
