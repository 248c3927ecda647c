// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/classroom/checklisteditor.h"

#include "models/teaching/classroom/classreader.h"
#include "widgets/base/icons.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostCount = 1'000'000;
constexpr int shortestKind = 10; // characters
constexpr int roomOfArrows = 36;

/// The kind in words: those of a check of it, as an attendee reads them, without figures.
QString kindWords(ClassCheckKind kind)
{
    switch (kind) {
    case ClassCheckKind::GlobalBatch: return CheckListEditor::tr("Global batch is");
    case ClassCheckKind::LauncherIs: return CheckListEditor::tr("Started by");
    case ClassCheckKind::StrategyIs: return CheckListEditor::tr("Trains with");
    case ClassCheckKind::NodesAsked: return CheckListEditor::tr("Asks for nodes");
    case ClassCheckKind::GpusAsked: return CheckListEditor::tr("Asks for GPUs");
    case ClassCheckKind::RanOnNodes: return CheckListEditor::tr("A job ran on nodes");
    case ClassCheckKind::GpusBusy: return CheckListEditor::tr("Every GPU was busy, %");
    case ClassCheckKind::LossFell: return CheckListEditor::tr("The loss fell, %");
    case ClassCheckKind::SpeedUp: return CheckListEditor::tr("Times as fast as exercise");
    case ClassCheckKind::Efficiency: return CheckListEditor::tr("Efficiency in % against exercise");
    case ClassCheckKind::Throughput: return CheckListEditor::tr("Samples per second");
    default: return checkText({kind, 0, 0, {}, {}, {}});
    }
}

QStringList wordsFor(ClassCheckKind kind)
{
    return kind == ClassCheckKind::LauncherIs ? QStringList{u"torchrun"_s, u"srun"_s}
                                              : QStringList{u"single"_s, u"ddp"_s, u"fsdp"_s};
}

} // namespace

CheckListEditor::CheckListEditor(QWidget* parent) : QWidget(parent)
{
    m_column = new QVBoxLayout(this);
    m_column->setContentsMargins(0, 0, 0, 0);
    auto* add = new QPushButton(tr("Add a check"), this);
    add->setObjectName(u"addCheck"_s);
    m_column->addWidget(add, 0, Qt::AlignLeft);
    connect(add, &QPushButton::clicked, this, &CheckListEditor::addCheck);
}

void CheckListEditor::setChecks(const QList<ClassCheck>& checks, const QStringList& former)
{
    if (checks == m_checks && former == m_former && m_body)
        return;
    m_checks = checks;
    m_former = former;
    rebuild(-1);
}

void CheckListEditor::addCheck()
{
    if (m_checks.size() >= classbounds::checks)
        return;
    m_checks.append(ClassCheck{});
    rebuild(int(m_checks.size()) - 1);
    emit edited();
}

void CheckListEditor::removeCheck(int index)
{
    m_checks.removeAt(index);
    rebuild(qMin(index, int(m_checks.size()) - 1));
    emit edited();
}

void CheckListEditor::change(int index, const std::function<void(ClassCheck&)>& how)
{
    how(m_checks[index]);
    emit edited();
}

void CheckListEditor::changeAndRebuild(int index, const std::function<void(ClassCheck&)>& how)
{
    QMetaObject::invokeMethod( // not within the signal of the box that goes
        this, [this, index] { rebuild(index); }, Qt::QueuedConnection);
    change(index, how);
}

void CheckListEditor::rebuild(int focus)
{
    if (m_body) {
        m_body->hide();
        m_body->deleteLater();
    }
    m_body = new QWidget(this);
    auto* rows = new QVBoxLayout(m_body);
    rows->setContentsMargins(0, 0, 0, 0);
    for (int i = 0; i < m_checks.size(); ++i)
        rows->addWidget(rowOf(i));
    m_column->insertWidget(0, m_body);
    m_body->show();
    if (focus >= 0)
        if (auto* kind = m_body->findChild<QComboBox*>(u"kind-%1"_s.arg(focus)))
            kind->setFocus(Qt::OtherFocusReason);
}

QComboBox* CheckListEditor::kindField(int index, QWidget* parent)
{
    auto* kind = new QComboBox(parent);
    kind->setObjectName(u"kind-%1"_s.arg(index));
    kind->setAccessibleName(tr("Check %1").arg(index + 1));
    // The longest kind would leave no room for the check's words.
    kind->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    kind->setMinimumContentsLength(shortestKind);
    for (const ClassCheckKind one : allClassChecks())
        kind->addItem(kindWords(one), int(one));
    kind->setCurrentIndex(kind->findData(int(m_checks.at(index).kind)));
    connect(kind, &QComboBox::activated, this, [this, index, kind] {
        const auto chosen = ClassCheckKind(kind->currentData().toInt());
        changeAndRebuild(index, [this, chosen](ClassCheck& one) {
            ClassCheck made;
            made.kind = chosen;
            made.text = one.text;
            made.hint = one.hint;
            made.count = parameterOf(chosen) == CheckParameter::Count ? qMax<qint64>(1, one.count) : 0;
            made.value = parameterOf(chosen) == CheckParameter::Value ? (one.value > 0 ? one.value : 50) : 0;
            if (parameterOf(chosen) == CheckParameter::Word)
                made.word = wordsFor(chosen).first();
            if (comparesExercises(chosen))
                made.against = m_former.value(0);
            one = made;
        });
    });
    return kind;
}

QWidget* CheckListEditor::parameterField(int index, QWidget* parent)
{
    const ClassCheck& check = m_checks.at(index);
    switch (parameterOf(check.kind)) {
    case CheckParameter::Count: {
        auto* count = new QSpinBox(parent);
        count->setRange(1, mostCount);
        count->setValue(int(check.count));
        count->setAccessibleName(tr("Count of check %1").arg(index + 1));
        connect(count, &QSpinBox::valueChanged, this,
            [this, index](int value) { change(index, [value](ClassCheck& one) { one.count = value; }); });
        return count;
    }
    case CheckParameter::Value: {
        auto* value = new QDoubleSpinBox(parent);
        value->setRange(0.01, mostCount);
        value->setValue(check.value);
        value->setMaximumWidth(value->fontMetrics().horizontalAdvance(u"100000.00"_s) + roomOfArrows);
        value->setAccessibleName(tr("Value of check %1").arg(index + 1));
        connect(value, &QDoubleSpinBox::valueChanged, this,
            [this, index](double to) { change(index, [to](ClassCheck& one) { one.value = to; }); });
        return value;
    }
    case CheckParameter::Word: {
        auto* word = new QComboBox(parent);
        word->setEditable(true);
        word->addItems(wordsFor(check.kind));
        word->setCurrentText(check.word);
        word->setAccessibleName(tr("Word of check %1").arg(index + 1));
        connect(word, &QComboBox::currentTextChanged, this,
            [this, index](const QString& to) { change(index, [to](ClassCheck& one) { one.word = to; }); });
        return word;
    }
    case CheckParameter::None: break;
    }
    return nullptr;
}

QComboBox* CheckListEditor::againstField(int index, QWidget* parent)
{
    auto* against = new QComboBox(parent);
    against->addItems(m_former);
    against->setCurrentText(m_checks.at(index).against);
    against->setAccessibleName(tr("Exercise that check %1 compares with").arg(index + 1));
    connect(against, &QComboBox::currentTextChanged, this,
        [this, index](const QString& to) { change(index, [to](ClassCheck& one) { one.against = to; }); });
    return against;
}

QLineEdit* CheckListEditor::textField(int index, QWidget* parent)
{
    const ClassCheck& check = m_checks.at(index);
    auto* text = new QLineEdit(check.text, parent);
    text->setCursorPosition(0); // its beginning is seen
    text->setPlaceholderText(checkText(check));
    text->setAccessibleName(tr("Words of check %1").arg(index + 1));
    connect(text, &QLineEdit::textEdited, this,
        [this, index](const QString& to) { change(index, [to](ClassCheck& one) { one.text = to.trimmed(); }); });
    return text;
}

QLineEdit* CheckListEditor::hintField(int index, QWidget* parent)
{
    auto* hint = new QLineEdit(m_checks.at(index).hint, parent);
    hint->setCursorPosition(0); // its beginning is what is read
    hint->setPlaceholderText(tr("Hint, shown when a job has ended and this check is not met"));
    hint->setAccessibleName(tr("Hint of check %1").arg(index + 1));
    hint->setMaxLength(classbounds::textLength);
    connect(hint, &QLineEdit::textEdited, this,
        [this, index](const QString& to) { change(index, [to](ClassCheck& one) { one.hint = to.trimmed(); }); });
    return hint;
}

QWidget* CheckListEditor::rowOf(int index)
{
    auto* whole = new QWidget(m_body);
    auto* lines = new QVBoxLayout(whole);
    lines->setContentsMargins(0, 0, 0, 4);
    lines->setSpacing(3);
    auto* row = new QHBoxLayout;
    lines->addLayout(row);
    row->addWidget(kindField(index, whole), 1);
    if (QWidget* parameter = parameterField(index, whole))
        row->addWidget(parameter);
    if (comparesExercises(m_checks.at(index).kind))
        row->addWidget(againstField(index, whole));
    row->addWidget(textField(index, whole), 2);
    QToolButton* remove = iconButton(u"close"_s, tr("Remove check %1").arg(index + 1), whole);
    connect(remove, &QToolButton::clicked, this, [this, index] {
        QMetaObject::invokeMethod(
            this, [this, index] { removeCheck(index); }, Qt::QueuedConnection);
    });
    row->addWidget(remove);
    lines->addWidget(hintField(index, whole));
    return whole;
}

} // namespace rankwright
