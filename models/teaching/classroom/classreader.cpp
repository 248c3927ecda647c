// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/classreader.h"

#include "models/core/harmlesstext.h"
#include "models/core/jsonreader.h"
#include "models/planner/design/fieldtable.h"
#include "models/script/document/designjson.h"
#include "models/teaching/classroom/classrules.h"
#include "models/teaching/classroom/classsafety.h"
#include "models/teaching/classroom/designobject.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QUrl>

#include <algorithm>
#include <cmath>

namespace rankwright::inline teaching {

using namespace Qt::StringLiterals;

namespace {

const QString askTeacher = u"Ask the teacher for a file that this version of the program has made or checked."_s;

Unexpected<Error> refuse(const QString& name, const QString& path, const QString& why)
{
    return fail(Fault::Unreadable, u"%1, %2: %3"_s.arg(name, harmlessLine(path, 120), why), {}, askTeacher);
}

bool matches(const QString& text, const char16_t* pattern)
{
    return QRegularExpression(QString::fromUtf16(pattern)).match(text).hasMatch();
}

/// Reads one file; the first fault stays.
class ClassReader {
public:
    explicit ClassReader(QString name) : m_name(std::move(name)) { }

    Result<ClassFile> read(const QJsonObject& object)
    {
        JsonReader top(object);
        top.ignore(u"format"_s);
        top.ignore(u"version"_s);
        ClassFile file;
        file.title = line(top, u"title"_s, true);
        file.author = line(top, u"author"_s, true);
        file.about = top.lines(u"about"_s).value_or(QString());
        file.cluster = slurmName(top, u"cluster"_s);
        if (file.cluster.isEmpty())
            top.refuse(u"cluster"_s, u"name a cluster of the catalogue, or “practice”"_s);
        file.account = slurmName(top, u"account"_s);
        file.partition = slurmName(top, u"partition"_s);
        file.container = path(top, u"container"_s);
        file.progressFolder = path(top, u"progressFolder"_s);
        file.acknowledgement = top.lines(u"acknowledgement"_s).value_or(QString());
        readReservation(top, file);
        readExpiry(top, file);
        readLimits(top, file);
        readLinks(top, file);
        readSignature(top, file);
        for (JsonReader& part : bounded(top, u"exercises"_s, classbounds::exercises)) {
            file.exercises.append(readExercise(part, file));
            top.absorb(part);
        }
        if (file.exercises.isEmpty())
            top.refuse(u"exercises"_s, u"a class needs at least one exercise"_s);
        if (top.fault())
            return fail(Fault::Unreadable, m_name + u", "_s + top.fault()->what, top.fault()->detail, askTeacher);
        if (!top.unknownMembers().isEmpty())
            return refuse(m_name, top.unknownMembers().first(),
                u"this member is not known: it is misspelt, or from a newer version"_s);
        return checked(file);
    }

private:
    static QString line(JsonReader& in, const QString& key, bool needed)
    {
        const QString text = needed ? in.requiredText(key) : in.text(key).value_or(QString());
        if (text.size() > classbounds::lineLength || text.contains(u'\n'))
            in.refuse(key, u"one line of at most %1 characters is needed"_s.arg(classbounds::lineLength));
        return text;
    }
    static QString slurmName(JsonReader& in, const QString& key)
    {
        const QString text = in.text(key).value_or(QString());
        if (!text.isEmpty() && !isSlurmName(text))
            in.refuse(key, u"this is not a name that Slurm takes"_s);
        return text;
    }
    static QString path(JsonReader& in, const QString& key)
    {
        const QString text = in.text(key).value_or(QString());
        if (!text.isEmpty() && !isPlainPath(text))
            in.refuse(key, u"this is not an absolute path (or ~/...) of plain characters"_s);
        return text;
    }
    static QList<JsonReader> bounded(JsonReader& in, const QString& key, int most)
    {
        QList<JsonReader> parts = in.objects(key);
        if (parts.size() <= most)
            return parts;
        in.refuse(key, u"%1 are too many; at most %2"_s.arg(parts.size()).arg(most));
        return {};
    }
    static QList<FieldPath> fields(JsonReader& in, const QString& key)
    {
        const QStringList paths = in.texts(key).value_or(QStringList());
        if (paths.size() > classbounds::fields)
            in.refuse(key, u"too many fields"_s);
        for (const QString& path : paths)
            if (specField(path) == nullptr)
                in.refuse(key, u"“%1” is not a field of a design"_s.arg(path.left(60)));
        return paths;
    }

    static void readReservation(JsonReader& top, ClassFile& file)
    {
        auto in = top.object(u"reservation"_s);
        if (!in)
            return;
        ClassReservation reservation{slurmName(*in, u"name"_s), {}, {}};
        if (reservation.name.isEmpty())
            in->refuse(u"name"_s, u"a reservation has a name"_s);
        reservation.begin = in->time(u"begin"_s).value_or(QDateTime());
        reservation.end = in->time(u"end"_s).value_or(QDateTime());
        if (reservation.begin.isValid() && reservation.end.isValid() && reservation.end <= reservation.begin)
            in->refuse(u"end"_s, u"it ends before it begins"_s);
        file.reservation = reservation;
        top.absorb(*in);
    }

    static void readExpiry(JsonReader& top, ClassFile& file)
    {
        const auto text = top.text(u"expires"_s);
        if (!text)
            return;
        file.expires = expiryFrom(*text);
        if (!file.expires.isValid())
            top.refuse(u"expires"_s,
                u"expected a day such as 2026-12-31, or a time with its zone such as 2026-12-31T18:00:00Z"_s);
        else if (file.reservation && file.reservation->end.isValid() && file.expires < file.reservation->end)
            top.refuse(u"expires"_s, u"the class expires before its reservation ends"_s);
    }

    static void readLimits(JsonReader& top, ClassFile& file)
    {
        auto in = top.object(u"limits"_s);
        if (!in)
            return;
        file.limits.maxNodes = in->whole(u"maxNodes"_s, 1, 100000);
        file.limits.maxGpus = in->whole(u"maxGpus"_s, 1, 1000000);
        if (const auto text = in->text(u"maxTime"_s)) {
            const auto time = parseSlurmTime(*text);
            if (time)
                file.limits.maxTime = *time;
            else
                in->refuse(u"maxTime"_s, time.error().what);
        }
        if (file.limits.maxTime && (file.limits.maxTime->count < 60 || file.limits.maxTime->count > 366LL * 86400))
            in->refuse(u"maxTime"_s, u"one minute to a year"_s);
        file.open = fields(*in, u"open"_s);
        if (auto locked = in->object(u"locked"_s)) {
            const QJsonObject values = locked->json();
            for (auto set = values.constBegin(); set != values.constEnd(); ++set) {
                locked->ignore(set.key());
                if (specField(set.key()) == nullptr || file.open.contains(set.key()) || set.value().isNull())
                    locked->refuse(
                        set.key(), u"only a field of a design, with a value, and not left open, can be locked"_s);
                else
                    file.locked.insert(set.key(), set.value());
            }
            if (values.size() > classbounds::fields)
                locked->refuse(u"locked"_s, u"too many fields"_s);
            in->absorb(*locked);
        }
        top.absorb(*in);
    }

    static void readLinks(JsonReader& top, ClassFile& file)
    {
        for (JsonReader& part : bounded(top, u"links"_s, classbounds::links)) {
            const ClassLink link{line(part, u"title"_s, true), part.requiredText(u"url"_s)};
            if (!link.url.isEmpty() && !isHttpsLink(link.url))
                part.refuse(u"url"_s, u"only https links can be shown"_s);
            file.links.append(link);
            top.absorb(part);
        }
    }

    static void readSignature(JsonReader& top, ClassFile& file)
    {
        auto in = top.object(u"signature"_s);
        if (!in)
            return;
        file.signature = {in->requiredText(u"key"_s), in->lines(u"value"_s).value_or(QString())};
        if (!matches(file.signature.key, uR"(^ssh-ed25519 [A-Za-z0-9+/]{60,100}={0,2}\z)"))
            in->refuse(u"key"_s, u"this is not an ed25519 public key"_s);
        if (!matches(file.signature.armoured,
                uR"(^-----BEGIN SSH SIGNATURE-----\n[A-Za-z0-9+/=\n]{100,2000}\n-----END SSH SIGNATURE-----\n?\z)"))
            in->refuse(u"value"_s, u"this is not a signature of ssh-keygen"_s);
        top.absorb(*in);
    }

    JobSpec design(JsonReader& in, const QString& key, const QJsonObject& object, const QString& cluster)
    {
        QJsonObject whole = object;
        if (!whole.contains(u"version"_s))
            whole.insert(u"version"_s, 1);
        if (!whole.contains(u"cluster"_s))
            whole.insert(u"cluster"_s, cluster);
        const auto read = readDesign(QJsonDocument(whole).toJson(), in.path() + u'.' + key);
        if (!read) {
            in.refuse(key, read.error().what);
            return {};
        }
        if (!read->unknownMembers.isEmpty())
            in.refuse(key, u"the design has an unknown member "_s + read->unknownMembers.first().left(80));
        if (read->spec.cluster != cluster)
            in.refuse(key, u"the design is for another cluster than the class"_s);
        return read->spec;
    }

    ClassExercise readExercise(JsonReader& in, const ClassFile& file)
    {
        ClassExercise exercise;
        exercise.id = in.requiredText(u"id"_s);
        if (!matches(exercise.id, uR"(^[A-Za-z0-9][A-Za-z0-9\-]{0,39}\z)") || file.exerciseIndex(exercise.id) >= 0)
            in.refuse(u"id"_s, u"letters, digits and hyphens, at most 40, and each once"_s);
        exercise.title = line(in, u"title"_s, true);
        exercise.task = in.lines(u"task"_s).value_or(QString());
        exercise.hints = in.texts(u"hints"_s).value_or(QStringList());
        if (exercise.hints.size() > classbounds::hints)
            in.refuse(u"hints"_s, u"too many hints"_s);
        exercise.solutionText = in.lines(u"solutionText"_s).value_or(QString());
        exercise.open = fields(in, u"open"_s);
        for (const FieldPath& path : exercise.open)
            if (file.locked.contains(path))
                in.refuse(u"open"_s, u"“%1” is locked by the class"_s.arg(path));
        if (auto start = in.object(u"design"_s))
            exercise.start = design(in, u"design"_s, start->json(), file.cluster);
        else
            in.refuse(u"design"_s, u"an exercise begins with a design"_s);
        if (auto solution = in.object(u"solution"_s))
            exercise.solution = design(in, u"solution"_s, solution->json(), file.cluster);
        for (JsonReader& part : bounded(in, u"checks"_s, classbounds::checks)) {
            exercise.checks.append(readCheck(part, file));
            in.absorb(part);
        }
        return exercise;
    }

    static ClassCheck readCheck(JsonReader& in, const ClassFile& file)
    {
        ClassCheck check;
        const QString kind = in.requiredText(u"check"_s);
        const auto known = classCheckFrom(kind);
        if (!known)
            in.refuse(u"check"_s, u"“%1” is not a check that this version of the program knows"_s.arg(kind.left(40)));
        check.kind = known.value_or(ClassCheckKind::NoErrors);
        check.text = line(in, u"text"_s, false);
        check.hint = in.lines(u"hint"_s).value_or(QString());
        if (known == ClassCheckKind::WithinLimits && file.limits.isEmpty())
            in.refuse(u"check"_s, u"the class has no limits that this check could look at"_s);
        switch (parameterOf(check.kind)) {
        case CheckParameter::Count:
            check.count = in.integer(u"count"_s, 1, 1'000'000'000).value_or(0);
            if (!in.has(u"count"_s))
                in.refuse(u"count"_s, u"this check needs a number"_s);
            break;
        case CheckParameter::Value:
            check.value = in.number(u"value"_s).value_or(0);
            if (!(check.value > 0) || check.value > 1e12)
                in.refuse(u"value"_s, u"this check needs a number above 0"_s);
            break;
        case CheckParameter::Word: {
            check.word = in.requiredText(u"word"_s);
            const bool fits = check.kind == ClassCheckKind::LauncherIs ? launcherFrom(check.word).has_value()
                                                                       : strategyFrom(check.word).has_value();
            if (!fits)
                in.refuse(u"word"_s, u"“%1” is not known here"_s.arg(check.word.left(40)));
            break;
        }
        case CheckParameter::None: break;
        }
        if (comparesExercises(check.kind)) {
            check.against = in.requiredText(u"against"_s);
            if (file.exerciseIndex(check.against) < 0)
                in.refuse(u"against"_s, u"there is no exercise of this id before this one"_s);
        }
        return check;
    }

    /// With the class's settings over them: what will be run.
    Result<ClassFile> checked(const ClassFile& file) const
    {
        if (file.locked.contains(QString(field::overrides)) || file.locked.contains(QString(field::setup)))
            return refuse(m_name, u"$.limits.locked"_s, u"a class cannot bring lines of its own"_s);
        for (int i = 0; i < int(file.exercises.size()); ++i) {
            const ClassExercise& exercise = file.exercises.at(i);
            const JobSpec start = startingSpec(file, exercise);
            for (auto set = file.locked.cbegin(); set != file.locked.cend(); ++set)
                if (!lockTakes(exercise.start, set.key(), set.value()))
                    return refuse(m_name, u"$.limits.locked."_s + set.key(), u"this is not a value of that field"_s);
            for (const JobSpec& spec : {exercise.start, start, solutionSpec(file, exercise).value_or(start)})
                if (const auto [where, why] = designFault(spec); !where.isEmpty())
                    return refuse(m_name, u"$.exercises[%1].%2"_s.arg(i).arg(where), why);
        }
        return file;
    }

    static bool lockTakes(const JobSpec& spec, const FieldPath& path, const QJsonValue& value)
    {
        QJsonObject document = designObject(spec);
        putAt(document, path, value);
        const auto read = readDesign(QJsonDocument(document).toJson(), u"locked"_s);
        return read && read->unknownMembers.isEmpty();
    }

    QString m_name;
};

} // namespace

Result<ClassFile> readClass(const QByteArray& bytes, const QString& name)
{
    if (bytes.size() > classbounds::bytes)
        return fail(Fault::Unreadable, name + u": a class file has at most 1 MiB"_s, {}, askTeacher);
    if (nestingOf(bytes) > classbounds::nesting)
        return fail(Fault::Unreadable, name + u": the file is nested too deeply"_s, {}, askTeacher);
    const auto parsed = parseJsonObject(bytes, name);
    if (!parsed)
        return fail(parsed.error());
    // Qt leaves it out of a name that begins with it, but does not find the member by that name: neither read nor
    // unknown.
    if (bytes.lastIndexOf("\xef\xbb\xbf") > 0)
        return refuse(name, u"$"_s, u"a byte order mark stands inside the text"_s);
    QJsonObject object = *parsed;
    if (object.value(u"format"_s) != QJsonValue(QString(classFormat)))
        return fail(Fault::Unreadable, name + u": this is not a class file"_s, u"“format” is not “rankwright-class”"_s,
            u"Choose a file that ends in .rwclass."_s);
    const double version = object.value(u"version"_s).toDouble(-1);
    if (version > ClassFile::version)
        return fail(Fault::Unreadable, name + u": this class file is from a newer version of the program"_s,
            u"version %1, known is %2"_s.arg(version).arg(ClassFile::version),
            u"Update Rankwright, or ask the teacher for a file of version %1."_s.arg(ClassFile::version));
    if (version != ClassFile::version)
        return refuse(name, u"$.version"_s, u"expected the number 1"_s);
    if (repeatsMembers(bytes, object))
        return refuse(name, u"$"_s, u"a member occurs twice in one object"_s);
    if (const auto fault = textFault(object, u"$"_s))
        return refuse(name, fault->first, fault->second);
    auto file = ClassReader(name).read(object);
    if (!file)
        return file;
    object.remove(u"signature"_s);
    file.value().readBytes = QJsonDocument(object).toJson(QJsonDocument::Compact);
    return file;
}

QDateTime expiryFrom(const QString& text)
{
    static const QRegularExpression day(uR"(^\d{4}-\d{2}-\d{2}\z)"_s);
    static const QRegularExpression time(uR"(^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})\z)"_s);
    if (day.match(text).hasMatch()) {
        const QDate date = QDate::fromString(text, Qt::ISODate);
        return date.isValid() ? QDateTime(date, QTime(23, 59, 59), Qt::UTC) : QDateTime();
    }
    return time.match(text).hasMatch() ? QDateTime::fromString(text, Qt::ISODate).toUTC() : QDateTime();
}

std::optional<Error> expiryFault(const ClassFile& file, const QDateTime& now)
{
    if (!file.expires.isValid() || now <= file.expires)
        return {};
    return Error{Fault::Invalid,
        u"The class “%1” expired on %2 UTC."_s.arg(
            harmlessLine(file.title), file.expires.toUTC().toString(u"yyyy-MM-dd HH:mm"_s)),
        {}, u"Ask the teacher for a newer file."_s};
}

std::optional<Error> classFault(const ClassFile& file)
{
    const auto read = readClass(writeClass(unsignedClass(file)), u"class"_s);
    return read ? std::nullopt : std::optional(read.error());
}

ClassFile newClass(const QString& cluster, const QString& title, const QString& author)
{
    ClassFile file;
    file.title = title;
    file.author = author;
    file.cluster = cluster;
    ClassExercise first;
    first.id = u"exercise-1"_s;
    first.title = u"One GPU"_s;
    first.task = u"Start the training on one [GPU|GPU] and watch it."_s;
    first.start.name = first.id;
    first.start.cluster = cluster;
    first.start.resources.nodes = 1;
    first.start.resources.gpusPerNode = 1;
    first.start.command = u"train.py"_s;
    for (const ClassCheckKind kind : {ClassCheckKind::NoErrors, ClassCheckKind::Completed}) {
        ClassCheck check;
        check.kind = kind;
        first.checks.append(check);
    }
    file.exercises = {first};
    return file;
}

} // namespace rankwright::inline teaching
