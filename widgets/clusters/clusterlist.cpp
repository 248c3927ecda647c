// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/clusters/clusterlist.h"

#include "widgets/base/recordtable.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/theme.h"
#include "widgets/base/tonedelegate.h"
#include "widgets/clusters/clustertext.h"

#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

enum ClusterRole { NameRole = Qt::UserRole + 1, CaptionRole, WordRole, StateRole };
constexpr int itemHeight = 58;

/// Title and caption in two lines, the state's shape at the right of the title.
class ClusterDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {200, itemHeight}; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = themeOf(option.widget);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const bool focused = option.state.testFlag(QStyle::State_HasFocus);
        const QRectF box = QRectF(option.rect).adjusted(1.5, 2.5, -1.5, -2.5);
        painter->setRenderHint(QPainter::Antialiasing);
        if (selected || option.state.testFlag(QStyle::State_MouseOver)) {
            const QColor background = theme.colour(Theme::Token::AccentBackground);
            painter->setBrush(selected ? background : Theme::mix(background, theme.colour(Theme::Token::Panel), 0.5));
            painter->setPen(selected && focused ? QPen(theme.colour(Theme::Token::Accent), 1.5) : QPen(Qt::NoPen));
            painter->drawRoundedRect(box, 7, 7);
        }
        const QRect inner = option.rect.adjusted(14, 9, -14, -9);
        const auto state = LinkState(index.data(StateRole).toInt());
        const QRect first(inner.left(), inner.top(), inner.width(), 20);
        paintTone(*painter, QRectF(first.right() - 9, first.top() + 5, 10, 10), toneOf(state), option.widget);
        painter->setPen(theme.colour(selected ? Theme::Token::Accent : Theme::Token::Foreground));
        painter->setFont(Theme::uiFont(13, QFont::DemiBold));
        painter->drawText(first, Qt::AlignLeft | Qt::AlignVCenter, index.data(Qt::DisplayRole).toString());
        const QRect second(inner.left(), first.bottom() + 1, inner.width(), 18);
        painter->setPen(theme.colour(Theme::Token::Foreground2));
        painter->setFont(Theme::uiFont(11));
        const QString caption = index.data(CaptionRole).toString();
        const QString word = index.data(WordRole).toString();
        const int right = word.isEmpty() ? 0 : painter->fontMetrics().horizontalAdvance(word) + 8;
        painter->drawText(second, Qt::AlignRight | Qt::AlignVCenter, word);
        painter->drawText(second, Qt::AlignLeft | Qt::AlignVCenter,
            painter->fontMetrics().elidedText(caption, Qt::ElideRight, second.width() - right));
    }
};

QString captionOf(const ClusterProfile& profile)
{
    if (!profile.acceptsJobs)
        return ClusterList::tr("takes no jobs");
    QStringList gpus;
    for (const NodeShape& node : profile.nodes) {
        const QString name = node.gpu.packageName.isEmpty() ? node.gpu.model.section(u' ', 0, 0) : node.gpu.packageName;
        if (!gpus.contains(name))
            gpus.append(name);
    }
    return gpus.join(u", "_s);
}

} // namespace

ClusterList::ClusterList(const Catalogue& catalogue, QWidget* parent)
    : QListView(parent), m_items(new QStandardItemModel(this))
{
    setModel(m_items);
    setItemDelegate(new ClusterDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Clusters"));
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
        if (!m_filling)
            emit chosen(selected());
    });
    setCatalogue(catalogue);
}

void ClusterList::setCatalogue(const Catalogue& catalogue)
{
    const QString before = selected();
    m_filling = true; // rows go and come without a choice of the user
    m_items->clear();
    QList<const ClusterProfile*> order;
    for (const ClusterProfile& profile : catalogue.clusters) {
        if (profile.name == QStringView(practiceName))
            order.prepend(&profile); // the one that anybody can use
        else
            order.append(&profile);
    }
    for (const ClusterProfile* profile : std::as_const(order)) {
        auto* item = new QStandardItem(profile->title);
        item->setData(profile->name, NameRole);
        item->setData(captionOf(*profile), CaptionRole);
        const bool practice = profile->name == QStringView(practiceName);
        item->setData(practice ? practiceWords(LinkState::Offline) : toWords(LinkState::Offline), WordRole);
        item->setData(int(LinkState::Offline), StateRole);
        item->setToolTip(richToolTip(profile->operatorName));
        item->setData(tr("%1, %2").arg(profile->title, toWords(LinkState::Offline)), Qt::AccessibleTextRole);
        item->setData(item->data(CaptionRole), Qt::AccessibleDescriptionRole);
        m_items->appendRow(item);
    }
    select(before);
    m_filling = false;
}

void ClusterList::showLink(const LinkInfo& link)
{
    for (int row = 0; row < m_items->rowCount(); ++row) {
        QStandardItem* item = m_items->item(row);
        if (item->data(NameRole).toString() != link.cluster)
            continue;
        item->setData(int(link.state), StateRole);
        item->setData(tr("%1, %2").arg(item->text(), toWords(link.state)), Qt::AccessibleTextRole);
        // What goes on takes the whole line; otherwise the state's word is at its end.
        item->setData(link.activity.isEmpty() ? item->data(Qt::AccessibleDescriptionRole).toString() : link.activity,
            CaptionRole);
        const bool practice = link.cluster == QStringView(practiceName);
        const QString word = practice ? practiceWords(link.state) : toWords(link.state);
        item->setData(link.activity.isEmpty() ? word : QString(), WordRole);
    }
}

void ClusterList::select(const QString& cluster)
{
    for (int row = 0; row < m_items->rowCount(); ++row) {
        if (m_items->item(row)->data(NameRole).toString() == cluster)
            setCurrentIndex(m_items->index(row, 0));
    }
}

QString ClusterList::selected() const { return currentIndex().data(NameRole).toString(); }

} // namespace rankwright
