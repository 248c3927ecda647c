// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/userpattern.h"

#include "models/insight/progress/progressnumbers.h"

#include <QStringList>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

const QStringList& knownGroups()
{
    static const QStringList names{u"step"_s, u"steps"_s, u"epoch"_s, u"epochs"_s, u"loss"_s, u"rate"_s, u"eta"_s};
    return names;
}

// pcre2pattern(3), "Setting match resource limits": counted again for each place of the line where a match may begin.
const QString limits = u"(*LIMIT_MATCH=20000)(*LIMIT_DEPTH=2000)"_s;

/// What is behind the rate's number: "it/s", "s/it", "samples/s", "ms".
QString unitAfter(QStringView text)
{
    static const QRegularExpression form(
        uR"(^\s*((?:it|its|steps?|samples?|images?|imgs?|seqs?|sequences?|tokens?|tok|batch(?:es)?)/s(?:ec)?|(?:m?s)/(?:it|step|iter|batch)|ms)\b)"_s);
    const auto match = form.match(text.toString());
    const QString unit = match.captured(1);
    static const QList<std::pair<QString, QString>> same{{u"its/s"_s, u"it/s"_s}, {u"step/s"_s, u"it/s"_s},
        {u"steps/s"_s, u"it/s"_s}, {u"batch/s"_s, u"it/s"_s}, {u"batches/s"_s, u"it/s"_s},
        {u"sample/s"_s, u"samples/s"_s}, {u"image/s"_s, u"samples/s"_s}, {u"images/s"_s, u"samples/s"_s},
        {u"img/s"_s, u"samples/s"_s}, {u"imgs/s"_s, u"samples/s"_s}, {u"seq/s"_s, u"samples/s"_s},
        {u"seqs/s"_s, u"samples/s"_s}, {u"sequence/s"_s, u"samples/s"_s}, {u"sequences/s"_s, u"samples/s"_s},
        {u"token/s"_s, u"tokens/s"_s}, {u"tok/s"_s, u"tokens/s"_s}, {u"s/step"_s, u"s/it"_s}, {u"s/iter"_s, u"s/it"_s},
        {u"s/batch"_s, u"s/it"_s}, {u"ms/step"_s, u"ms/it"_s}, {u"ms/iter"_s, u"ms/it"_s}, {u"ms/batch"_s, u"ms/it"_s},
        {u"ms"_s, u"ms/it"_s}};
    QString plain = unit;
    if (plain.endsWith(u"/sec"_s))
        plain.chop(2);
    for (const auto& [name, ours] : same) {
        if (plain == name)
            return ours;
    }
    return plain;
}

} // namespace

Result<UserPattern> UserPattern::from(const QString& expression)
{
    const QString remedy = u"Name at least one of the groups (?<step>…), steps, epoch, epochs, loss, rate, eta."_s;
    if (expression.trimmed().isEmpty())
        return fail(Fault::Invalid, u"The progress pattern is empty."_s, {}, remedy);
    if (expression.size() > longestExpression)
        return fail(Fault::Invalid, u"The progress pattern is longer than %1 characters."_s.arg(longestExpression), {},
            u"Shorten it."_s);
    UserPattern pattern;
    pattern.m_expression = expression;
    const QRegularExpression plain(expression);
    if (!plain.isValid())
        return fail(Fault::Invalid,
            u"The progress pattern is not a valid regular expression: %1 at character %2."_s.arg(plain.errorString())
                .arg(plain.patternErrorOffset() + 1),
            expression, u"Correct it there."_s);
    for (const QString& name : plain.namedCaptureGroups()) {
        if (name.isEmpty())
            continue;
        if (!knownGroups().contains(name))
            return fail(Fault::Invalid,
                u"The progress pattern has a group \"%1\", which is not one of those known."_s.arg(name), expression,
                remedy);
        pattern.m_groups.append(name);
    }
    if (pattern.m_groups.isEmpty())
        return fail(Fault::Invalid, u"The progress pattern has no named group."_s, expression, remedy);
    pattern.m_form.setPattern(limits + expression);
    if (!pattern.m_form.isValid())
        pattern.m_form = plain; // an expression that begins with settings of its own
    pattern.m_form.optimize();
    return pattern;
}

std::optional<ProgressHint> UserPattern::read(const QString& line, bool* gaveUp) const
{
    const auto match = m_form.match(line.size() > longestLine ? line.left(longestLine) : line);
    if (gaveUp)
        *gaveUp = !match.isValid();
    if (!match.hasMatch())
        return {};
    ProgressHint hint;
    hint.kind = ProgressHint::Kind::Step;
    const auto text = [&](QStringView name) {
        const QString group = name.toString();
        return m_groups.contains(group) ? match.captured(group).trimmed() : QString();
    };
    hint.step = wholeIn(text(u"step"));
    hint.steps = wholeIn(text(u"steps"));
    hint.epoch = decimalIn(text(u"epoch"));
    hint.epochs = decimalIn(text(u"epochs"));
    hint.loss = decimalIn(text(u"loss"));
    hint.rate = decimalIn(text(u"rate"));
    if (hint.rate)
        hint.rateUnit = unitAfter(QStringView(line).mid(match.capturedEnd(u"rate"_s), 20));
    hint.etaSeconds = secondsIn(text(u"eta"));
    const bool reports
        = hint.step || hint.steps || hint.epoch || hint.epochs || hint.loss || hint.rate || hint.etaSeconds;
    if (!reports)
        return {};
    if (!hint.step)
        hint.kind = hint.epoch || hint.loss || hint.rate ? ProgressHint::Kind::Epoch : ProgressHint::Kind::Totals;
    return hint;
}

Result<QList<UserPattern>> userPatterns(const QStringList& expressions)
{
    QList<UserPattern> patterns;
    for (const QString& expression : expressions) {
        auto pattern = UserPattern::from(expression);
        if (!pattern)
            return fail(pattern.error());
        patterns.append(*pattern);
    }
    return patterns;
}

} // namespace rankwright::inline insight
