// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/classroom/classfieldsform.h"

#include "models/core/jsonreader.h"
#include "models/planner/design/fieldtable.h"
#include "models/teaching/classroom/classreader.h"
#include "widgets/base/card.h"
#include "widgets/classroom/faultfield.h"
#include "widgets/classroom/openfieldschooser.h"

#include <QComboBox>
#include <QFormLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QTimeZone>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

const QString timeFormat = u"yyyy-MM-dd HH:mm"_s; // UTC

QString lineFault(const QString& text)
{
    if (text.isEmpty())
        return ClassFieldsForm::tr("It needs one.");
    return text.size() > classbounds::lineLength
        ? ClassFieldsForm::tr("At most %1 characters.").arg(classbounds::lineLength)
        : QString();
}

QString nameFault(const QString& text)
{
    return text.isEmpty() || isSlurmName(text) ? QString()
                                               : ClassFieldsForm::tr("This is not a name that Slurm takes.");
}

QString pathFault(const QString& text)
{
    return text.isEmpty() || isPlainPath(text)
        ? QString()
        : ClassFieldsForm::tr("An absolute path, or ~/…, of plain characters without “..”.");
}

QString countFault(const QString& text, int most)
{
    bool isNumber = false;
    const int count = text.toInt(&isNumber);
    return text.isEmpty() || (isNumber && count >= 1 && count <= most)
        ? QString()
        : ClassFieldsForm::tr("A whole number from 1 to %1, or nothing.").arg(most);
}

QString timeFault(const QString& text)
{
    if (text.isEmpty())
        return {};
    const auto time = parseSlurmTime(text);
    if (!time)
        return time.error().what;
    return time->count < 60 || time->count > 366LL * 86400 ? ClassFieldsForm::tr("From one minute to a year.")
                                                           : QString();
}

QDateTime dateOf(const QString& text)
{
    QDateTime date = QDateTime::fromString(text, timeFormat);
    date.setTimeZone(QTimeZone::utc());
    return date;
}

QString dateText(const QDateTime& date) { return date.isValid() ? date.toUTC().toString(timeFormat) : QString(); }

QString dateFault(const QString& text)
{
    return text.isEmpty() || dateOf(text).isValid() ? QString() : ClassFieldsForm::tr("As 2026-12-01 08:00, in UTC.");
}

/// The day alone where it holds to its end.
QString expiryText(const QDateTime& expires)
{
    if (!expires.isValid())
        return {};
    const QDateTime utc = expires.toUTC();
    return utc.time() == QTime(23, 59, 59) ? utc.date().toString(Qt::ISODate) : utc.toString(timeFormat);
}

QDateTime expiryOf(const QString& text)
{
    const QDateTime day = expiryFrom(text);
    return day.isValid() ? day : dateOf(text);
}

std::optional<int> countOf(const FaultField* field)
{
    return field->text().isEmpty() || !field->fault().isEmpty() ? std::nullopt : std::optional(field->text().toInt());
}

QStringList linesOf(const QPlainTextEdit* text)
{
    QStringList lines;
    for (const QString& line : text->toPlainText().split(u'\n'))
        if (!line.trimmed().isEmpty())
            lines.append(line.trimmed());
    return lines;
}

/// "Slides https://example.org/slides": the address is the last word.
QList<ClassLink> linksFrom(const QStringList& lines)
{
    QList<ClassLink> links;
    for (const QString& line : lines) {
        const QString url = line.section(QRegularExpression(u"\\s+"_s), -1);
        const QString title = line.chopped(url.size()).trimmed();
        links.append({title.isEmpty() ? url : title, url});
    }
    return links;
}

QString lineOf(const ClassLink& link) { return link.title == link.url ? link.url : link.title + u' ' + link.url; }

/// "training.globalBatch = 32", the value as in a design file; a text may stand without quotes.
std::pair<FieldPath, QJsonValue> settingFrom(const QString& line)
{
    const FieldPath path = line.section(u'=', 0, 0).trimmed();
    if (!line.contains(u'='))
        return {path, true}; // which the reader of classes refuses with its name
    const QString value = line.section(u'=', 1).trimmed();
    const auto read = parseJsonObject("{\"value\": " + value.toUtf8() + '}', path);
    return {path, read && read->size() == 1 ? read->value(u"value"_s) : QJsonValue(value)};
}

QString lineOf(const FieldPath& path, const QJsonValue& value)
{
    QByteArray text = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
    text = text.mid(1, text.size() - 2);
    const bool isWord = value.isString() && settingFrom(u"x = "_s + value.toString()).second == value;
    return path + u" = "_s + (isWord ? value.toString() : QString::fromUtf8(text));
}

QString openFault(const QString& text)
{
    for (const QString& path : text.split(u' ', Qt::SkipEmptyParts))
        if (specField(path) == nullptr)
            return ClassFieldsForm::tr("“%1” is not a field of a design.").arg(path.left(60));
    return {};
}

QString countText(const std::optional<int>& count) { return count ? QString::number(*count) : QString(); }

} // namespace

ClassFieldsForm::ClassFieldsForm(const Catalogue& catalogue, QWidget* parent) : QWidget(parent)
{
    m_form = new QFormLayout(this);
    m_form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_title = add(tr("Title"), tr("Our course"), lineFault);
    m_author = add(tr("Author"), tr("Ada, Example University"), lineFault);
    m_cluster = new QComboBox(this);
    m_cluster->setAccessibleName(tr("Cluster"));
    for (const ClusterProfile& profile : catalogue.clusters)
        m_cluster->addItem(profile.title, profile.name);
    auto* label = makeLabel(tr("Cluster"), "quiet", this);
    label->setBuddy(m_cluster);
    m_form->addRow(label, m_cluster);
    connect(m_cluster, &QComboBox::activated, this, &ClassFieldsForm::edited);
    m_account = add(tr("Project (account)"), tr("each attendee's own"), nameFault);
    m_partition = add(tr("Partition"), tr("as each exercise says"), nameFault);
    m_reservation = add(tr("Reservation"), tr("none"), nameFault);
    m_begin = add(tr("Begins (UTC)"), timeFormat, dateFault);
    m_end = add(tr("Ends (UTC)"), timeFormat, [this](const QString& text) {
        const QString fault = dateFault(text);
        const bool isBefore = fault.isEmpty() && !text.isEmpty() && dateOf(m_begin->text()).isValid()
            && dateOf(text) <= dateOf(m_begin->text());
        return isBefore ? tr("It ends before it begins.") : fault;
    });
    connect(m_begin, &FaultField::edited, m_end, &FaultField::check);
    m_expires = add(tr("Expires (UTC)"), tr("never: a day such as 2026-12-31"), [](const QString& text) {
        return text.isEmpty() || expiryOf(text).isValid() ? QString()
                                                          : tr("As 2026-12-31, or 2026-12-31 18:00, in UTC.");
    });
    m_container = add(tr("Container"), tr("as each exercise says"), pathFault);
    m_nodes = add(
        tr("Nodes at most"), tr("the site's own limit"), [](const QString& text) { return countFault(text, 100000); });
    m_gpus = add(tr("GPUs of a job at most"), tr("the site's own limit"),
        [](const QString& text) { return countFault(text, 1000000); });
    m_time = add(tr("Time at most"), u"00:15:00"_s, timeFault);
    m_progress = add(tr("Folder for progress"), tr("none: no progress is noted"), pathFault);
    m_open = add(tr("Open in all exercises"), tr("all but what is set"), openFault);
    m_open->line()->setToolTip(tr("Fields that attendees may edit, with blanks between: resources.nodes launcher. An "
                                  "exercise may have its own."));
    new OpenFieldsChooser(*m_open);
    const auto addText = [this](const QString& name, const QString& placeholder = {}) {
        auto* text = new QPlainTextEdit(this);
        text->setAccessibleName(name);
        text->setPlaceholderText(placeholder);
        text->setTabChangesFocus(true);
        text->setFixedHeight(64);
        auto* its = makeLabel(name, "quiet", this);
        its->setBuddy(text);
        m_form->addRow(its, text);
        connect(text, &QPlainTextEdit::textChanged, this, &ClassFieldsForm::edited);
        return text;
    };
    m_locked = addText(tr("Set for all"), tr("A line each, as in a design file: training.globalBatch = 32"));
    m_about = addText(tr("About it"));
    m_links = addText(tr("Links"), tr("A line each: Slides https://example.org/slides"));
    m_acknowledgement = addText(tr("Acknowledgement"));
}

FaultField* ClassFieldsForm::add(
    const QString& label, const QString& placeholder, const std::function<QString(const QString&)>& check)
{
    auto* field = new FaultField(m_form, label, placeholder, check, this);
    connect(field, &FaultField::edited, this, &ClassFieldsForm::edited);
    m_fields.append(field);
    return field;
}

void ClassFieldsForm::setFile(const ClassFile& file)
{
    const QSignalBlocker blocked(this);
    m_title->setText(file.title);
    m_author->setText(file.author);
    if (m_cluster->findData(file.cluster) < 0)
        m_cluster->addItem(file.cluster, file.cluster);
    m_cluster->setCurrentIndex(m_cluster->findData(file.cluster));
    m_account->setText(file.account);
    m_partition->setText(file.partition);
    m_reservation->setText(file.reservation ? file.reservation->name : QString());
    m_begin->setText(file.reservation ? dateText(file.reservation->begin) : QString());
    m_end->setText(file.reservation ? dateText(file.reservation->end) : QString());
    m_expires->setText(expiryText(file.expires));
    m_container->setText(file.container);
    m_nodes->setText(countText(file.limits.maxNodes));
    m_gpus->setText(countText(file.limits.maxGpus));
    m_time->setText(file.limits.maxTime ? slurmTime(*file.limits.maxTime) : QString());
    m_progress->setText(file.progressFolder);
    m_open->setText(file.open.join(u' '));
    QStringList lines;
    for (auto set = file.locked.cbegin(); set != file.locked.cend(); ++set)
        lines.append(lineOf(set.key(), set.value()));
    m_locked->setPlainText(lines.join(u'\n'));
    lines.clear();
    for (const ClassLink& link : file.links)
        lines.append(lineOf(link));
    m_links->setPlainText(lines.join(u'\n'));
    m_about->setPlainText(file.about);
    m_acknowledgement->setPlainText(file.acknowledgement);
}

void ClassFieldsForm::write(ClassFile& file) const
{
    file.title = m_title->text();
    file.author = m_author->text();
    file.cluster = m_cluster->currentData().toString();
    file.account = m_account->text();
    file.partition = m_partition->text();
    file.reservation.reset();
    if (!m_reservation->text().isEmpty())
        file.reservation = ClassReservation{m_reservation->text(), dateOf(m_begin->text()), dateOf(m_end->text())};
    file.expires = m_expires->text().isEmpty() ? QDateTime() : expiryOf(m_expires->text());
    file.container = m_container->text();
    file.limits.maxNodes = countOf(m_nodes);
    file.limits.maxGpus = countOf(m_gpus);
    file.limits.maxTime.reset();
    if (const auto time = parseSlurmTime(m_time->text()); time && !m_time->text().isEmpty())
        file.limits.maxTime = *time;
    file.progressFolder = m_progress->text();
    file.open = m_open->text().split(u' ', Qt::SkipEmptyParts);
    file.locked.clear();
    for (const QString& line : linesOf(m_locked)) {
        const auto [path, value] = settingFrom(line);
        file.locked.insert(path, value);
    }
    file.links = linksFrom(linesOf(m_links));
    file.about = m_about->toPlainText().trimmed();
    file.acknowledgement = m_acknowledgement->toPlainText().trimmed();
}

void ClassFieldsForm::focusFirst()
{
    m_title->line()->setFocus(Qt::OtherFocusReason);
    m_title->line()->selectAll();
}

int ClassFieldsForm::faults() const
{
    int count = 0;
    for (const FaultField* field : m_fields)
        count += field->fault().isEmpty() ? 0 : 1;
    return count;
}

} // namespace rankwright
