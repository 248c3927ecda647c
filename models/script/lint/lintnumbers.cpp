// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintnumbers.h"

#include <functional>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

constexpr int deepestNumber = 8; ///< variables within variables, brackets within brackets: no script needs more

using Lookup = std::function<std::optional<int>(const QString&)>;

/// A reader of sums: expression = product {+|- product}, product = factor {*|/|% factor}.
class Sum {
public:
    Sum(const QString& text, const Lookup& value) : m_text(text), m_value(value) { }

    std::optional<int> whole()
    {
        const std::optional<qint64> result = sum(0);
        skip();
        if (!result || m_at != m_text.size() || *result < -1000000000 || *result > 1000000000)
            return std::nullopt;
        return static_cast<int>(*result);
    }

private:
    void skip()
    {
        while (m_at < m_text.size() && m_text.at(m_at).isSpace())
            ++m_at;
    }

    bool accept(QChar c)
    {
        skip();
        if (m_at >= m_text.size() || m_text.at(m_at) != c)
            return false;
        ++m_at;
        return true;
    }

    std::optional<qint64> sum(int depth)
    {
        std::optional<qint64> left = product(depth);
        while (left) {
            const bool plus = accept(u'+');
            if (!plus && !accept(u'-'))
                break;
            const std::optional<qint64> right = product(depth);
            left = right ? std::optional(plus ? *left + *right : *left - *right) : std::nullopt;
        }
        return left;
    }

    std::optional<qint64> product(int depth)
    {
        std::optional<qint64> left = factor(depth);
        while (left && std::abs(*left) < 1000000000) {
            const QChar sign = accept(u'*') ? u'*' : accept(u'/') ? u'/' : accept(u'%') ? u'%' : u' ';
            if (sign == u' ')
                break;
            const std::optional<qint64> right = factor(depth);
            if (!right || (sign != u'*' && *right == 0) || std::abs(*right) > 1000000000)
                return std::nullopt;
            left = sign == u'*' ? *left * *right : sign == u'/' ? *left / *right : *left % *right;
        }
        return left;
    }

    std::optional<qint64> factor(int depth)
    {
        if (depth > deepestNumber)
            return std::nullopt;
        if (accept(u'(')) {
            const std::optional<qint64> inner = sum(depth + 1);
            return accept(u')') ? inner : std::nullopt;
        }
        skip();
        const bool dollar = accept(u'$');
        const bool brace = dollar && accept(u'{');
        const qsizetype start = m_at;
        while (m_at < m_text.size() && (m_text.at(m_at).isLetterOrNumber() || m_text.at(m_at) == u'_'))
            ++m_at;
        const QString word = m_text.mid(start, m_at - start);
        if (word.isEmpty() || (brace && !accept(u'}')))
            return std::nullopt;
        bool fine = false;
        const int number = word.toInt(&fine);
        if (fine && !dollar)
            return number;
        const std::optional<int> known = m_value(word);
        return known ? std::optional<qint64>(*known) : std::nullopt;
    }

    const QString& m_text;
    const Lookup& m_value;
    qsizetype m_at = 0;
};

std::optional<int> namedNumber(const LintFacts& facts, const QString& name, int line, int depth)
{
    if (depth > deepestNumber)
        return std::nullopt;
    if (const BatchVariable* variable = facts.batch.variable(name, line))
        return variable->certain && !variable->isArray ? wordNumber(facts, variable->value, depth + 1) : std::nullopt;
    return slurmNumber(facts.request, name);
}

} // namespace

std::optional<int> slurmNumber(const LintRequest& request, const QString& name)
{
    const auto optionNamed = [&](const QString& option) {
        for (const BatchOption* one : request.gpuOptions) {
            if (one->name == option)
                return true;
        }
        return false;
    };
    if (name == u"SLURM_NNODES" || name == u"SLURM_JOB_NUM_NODES")
        return request.nodes;
    if (name == u"SLURM_NTASKS" || name == u"SLURM_NPROCS") {
        if (request.tasks || !request.anyTaskOption || !request.nodes || !request.tasksPerNode)
            return request.tasks;
        return *request.nodes * *request.tasksPerNode;
    }
    if (name == u"SLURM_NTASKS_PER_NODE" && request.anyTaskOption)
        return request.tasksPerNode;
    if (name == u"SLURM_GPUS_ON_NODE")
        return request.gpusPerNode;
    if (name == u"SLURM_GPUS_PER_NODE" && optionNamed(u"gpus-per-node"_s) && request.gpuType.isEmpty())
        return request.gpusPerNode;
    if (name == u"SLURM_CPUS_PER_TASK")
        return request.cpusPerTask;
    return std::nullopt;
}

std::optional<int> arithmetic(const QString& text, const Lookup& value) { return Sum(text, value).whole(); }

std::optional<int> wordNumber(const LintFacts& facts, const ShellWord& word, int depth)
{
    bool fine = false;
    const int plain = word.value.toInt(&fine);
    if (word.isStatic())
        return fine ? std::optional(plain) : std::nullopt;
    if (word.expansions.size() != 1)
        return std::nullopt;
    const Expansion& only = word.expansions.first();
    if (only.text != word.value)
        return std::nullopt;
    const int line = word.line;
    const auto value = [&](const QString& name) { return namedNumber(facts, name, line, depth); };
    if (only.kind == Expansion::Kind::Arithmetic) {
        QString inner = only.text;
        if (inner.startsWith(u"$((") && inner.endsWith(u"))"))
            inner = inner.mid(3, inner.size() - 5);
        return arithmetic(inner, value);
    }
    if (only.kind != Expansion::Kind::Variable)
        return std::nullopt;
    const std::optional<int> known = value(only.name);
    if (known || !(only.operation.startsWith(u":-") || only.operation.startsWith(u"-")))
        return only.operation.isEmpty() || only.operation.contains(u'-') ? known : std::nullopt;
    const int fallback = only.operation.mid(only.operation.startsWith(u":-") ? 2 : 1).toInt(&fine);
    return fine ? std::optional(fallback) : std::nullopt;
}

} // namespace rankwright::inline script::lint
