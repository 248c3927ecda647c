// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/script/checks/designchecks.h"
#include "models/script/document/designjson.h"
#include "models/script/write/scriptwriter.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTextStream>

using namespace Qt::StringLiterals;
using namespace rankwright;

/// For test_trials.py, thousands of scripts in one process: a design in each line of standard input; for each a line
/// with its `script` and `errors`, the slugs of what its fields say is wrong.
int main()
{
    const Catalogue catalogue = loadCatalogue({});
    QTextStream in(stdin), out(stdout);
    for (QString line = in.readLine(); !line.isNull(); line = in.readLine()) {
        const Result<ReadDesign> design = readDesign(line.toUtf8(), u"trial"_s);
        const ClusterProfile* profile = design ? catalogue.find(design->spec.cluster) : nullptr;
        QJsonObject answer;
        if (profile != nullptr) {
            const ResolvedSpec resolved = resolve(design->spec, *profile);
            QJsonArray errors;
            for (const Finding& finding : check(resolved, *profile)) {
                if (finding.severity == Severity::Error)
                    errors.append(finding.slug);
            }
            answer = {{u"script"_s, writeScript(resolved, *profile).text()}, {u"errors"_s, errors}};
        }
        out << QString::fromUtf8(QJsonDocument(answer).toJson(QJsonDocument::Compact)) << u'\n';
    }
    return 0;
}
