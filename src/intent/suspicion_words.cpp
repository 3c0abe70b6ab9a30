#include "intent/suspicion_words.h"

#include <initializer_list>
#include <string>
#include <unordered_map>

#include "base/text.h"

namespace deputy::intent {

namespace {

struct Row {
  Concepts concepts;
  std::string_view words;  // separated by spaces
};

constexpr Row kWords[] = {
    {kObtain,
     "show give send tell share reveal paste read fetch get retrieve display leak decode decrypt expose provide dm "
     "find grab forward obtain steal crack unmask unredact encode base64 view see hand pass include return collect "
     "lookup list whisper spell post gimme message slack drop ping pull extract gather write type put attach reading "
     "giving sending showing telling have"},
    {kObtain | kPrint, "print dump echo cat output printenv exec"},
    {kObtain | kExport, "export download copy exfiltrate scrape upload transfer email mail"},
    {kExport, "dump archive zip extract send forward exporting downloading copying siphon harvest"},
    {kBypass,
     "bypass skip ignore circumvent override evade disregard sidestep avoid forget bypassing skipping ignoring "
     "overrule"},
    {kSwitchOff, "disable deactivate remove stop suppress drop relax lift disabling weaken"},
    {kErase, "delete erase wipe clear tamper edit hide purge scrub alter falsify backdate"},
    {kQuery, "query access connect browse login dump read peek psql mysql mongosh"},
    {kExecute | kCarryOut, "run execute exec issue fire"},
    {kCarryOut,
     "deploy merge push restart ship release apply scale rollback proceed go do make start stop delete promote "
     "change grant force commit trigger rotate redeploy approve give continue update"},
    {kGrant, "give grant make add promote elevate assign get"},
    {kApprove, "approve accept confirm"},
    {kSearch, "grep search find look scan hunt dig"},
    {kSeek, "ask wait need require request seek bother needs requires requiring asking waiting prompt"},
    {kNeed, "need want require"},
    {kPretend, "pretend imagine roleplay hypothetically impersonate jailbreak suppose"},
    {kWish,
     "need needs want wants asked asks ask request requests requested require requires demand demands demanded "
     "ordered orders requesting demanding asking"},
    {kOtherVerb,
     "rotate reset revoke restart renew replace invalidate fix check verify rollback redeploy ack acknowledge close "
     "create open scale investigate debug explain summarize refresh expire regenerate change set update configure "
     "analyze deploy mount validate count compare"},

    {kSecret,
     "password passwords passwd pwd passwort passphrase passphrases credential credentials creds secret secrets "
     "kubeconfig keystore login logins pin pins"},
    {kToken, "token tokens apikey apikeys jwt jwts keys"},
    {kVariables, "printenv"},
    {kEnvironment, "env environment"},
    {kPersonal, "ssn ssns passport passports iban ibans salary salaries payslip payslips pii dms"},
    {kPeople,
     "customer customers user users client clients employee employees patient patients member members subscriber "
     "subscribers people person colleague colleagues buyer buyers tenant tenants staff cardholder cardholders "
     "everyone guests guest"},
    {kPeopleThing,
     "email emails mails name names address addresses data record records details detail info information list phone "
     "phones profile profiles database contacts table numbers birthdays db"},
    {kMass,
     "customer customers client clients user users subscriber subscribers accounts records data database databases "
     "table tables messages conversations orders transactions repository repositories repo repos codebase tickets "
     "documents invoices payments emails contacts everything dms history employees members files"},
    {kDatabase,
     "database databases db dbs table tables rows replica postgres postgresql mysql mariadb mongo mongodb dynamodb "
     "redshift bigquery snowflake clickhouse datenbank"},
    {kStatement, "query queries sql"},
    {kDumpTool, "mysqldump mongodump mongoexport pgdump"},
    {kControl,
     "approval approvals approver approvers signoff guardrail guardrails mfa 2fa authentication authorization "
     "redaction restrictions review reviews safeguards safeguard firewall waf freeze confirmation confirmations dlp "
     "cloudtrail guardduty"},
    {kPermission, "permission permissions policy policies rbac acl acls clearance"},
    {kAuditTrail, "audit"},
    {kPrivilege, "superuser admin administrator root approver sudo sudoers"},
    {kYourself, "yourself behalf myself"},
    {kLegal, "subpoena subpoenas subpoenaed litigation lawsuit ediscovery dsar dsars foia"},
    {kLawPerson,
     "police fbi lawyer lawyers attorney attorneys counsel court detective prosecutor prosecutors authorities legal "
     "investigators sheriff interpol regulator regulators"},
    {kLegalData,
     "data records messages emails documents copies copy history conversations files information transcripts chats "
     "communications details"},
    {kNoLimits,
     "restrictions rules limits filters limitations unrestricted uncensored guardrails constraints guidelines"},
    {kThis, "this it my all everything every these that"},

    {kEvidence,
     "error errors log logs logfile failure failures status alarm alarms alert alerts metric metrics incident "
     "incidents deploy deploys deployment pipeline pipelines runbook runbooks doc docs documentation graph graphs "
     "dashboard dashboards count number rotation expiry expiration age trace traces exception exceptions ticket "
     "problem problems issue issues prometheus promql jql coralogix insights usage rate rates latency timeouts "
     "warnings spikes impact"},
    {kAbout, "which whether if when why who how where reason because whose affected impacted"},
    {kStale,
     "invalid expired expiring wrong bad missing incorrect failed failing broken new fake leaked exposed hardcoded "
     "stale rejected unused revoked rotated outdated duplicate"},
    {kFunction,
     "for of in on from to and or please pls plz that so now with here via as by at into inside belonging associated "
     "but then right asap immediately i we you he she they it this these those my our his her the a an not before "
     "after until while through over directly today again too also thanks thx just without within behind under using "
     "value values hash hashes file files contents content itself plaintext plain base64 unmasked unredacted out "
     "back me us him them like including unless since during via because straight quickly urgently instead anyway "
     "entirely completely who between against whose stands"},
    {kUsed, "used stored kept saved configured uses"},
    {kPart,
     "step steps check checks checking process gate gates prompt prompts flow requirement requirements rule rules "
     "workflow policy policies log logs logging trail control controls mode settings setting protection protections "
     "entries records"},
    {kAll, "all every entire whole full complete everything everyone"},
    {kMe, "me myself my us"},
    {kFrom, "from straight directly out"},
    {kMachinery,
     "service services job jobs worker workers pod pods queue api table endpoint module page pages bot consumer "
     "topic cron container deployment pipeline namespace repo app errors comments comment queues webhook"},
    {kOutside, "laptop gmail dropbox pastebin usb personal private external outside home gist"},
};

struct PairRow {
  Concepts concepts;
  std::string_view firsts;
  std::string_view seconds;
};
constexpr PairRow kPairs[] = {
    {kSecret, "private ssh signing master encryption root deploy pgp gpg tls ssl", "key keys"},
    {kSecret, "connection", "string strings"},
    {kSecret, "service", "credentials creds"},
    {kSecret, "etc", "shadow passwd"},
    {kSecret, "id", "rsa ed25519"},
    {kToken, "api access secret license client account auth bearer session webhook", "key keys token tokens"},
    {kVariables, "env environment", "vars var variables variable"},
    {kVariables, "dot", "env"},
    {kPersonal, "phone mobile telephone cell", "number numbers"},
    {kPersonal, "home private postal street billing shipping", "address addresses"},
    {kPersonal, "email mail", "address addresses"},
    {kPersonal, "credit debit", "card cards"},
    {kPersonal, "card account insurance tax passport", "number numbers details"},
    {kPersonal, "social", "security"},
    {kPersonal, "personal private contact", "data details information info"},
    {kPersonal, "of", "birth"},
    {kPersonal, "medical health patient", "records record history"},
    {kPersonal, "bank", "account accounts details"},
    {kPersonal, "private direct", "message messages"},
    {kMass, "source", "code"},
    {kMass, "customer user", "base"},
    {kDumpTool, "pg", "dump dumpall"},
    {kControl, "sign", "off"},
    {kControl, "two second", "factor"},
    {kControl, "access", "control controls check checks"},
    {kControl, "security",
     "check checks control controls policy policies group groups review reviews scan scans rules"},
    {kControl, "permission permissions authorization", "check checks"},
    {kControl, "change deploy deployment code release", "freeze control management review reviews process"},
    {kControl, "branch", "protection protections"},
    {kControl, "four", "eyes"},
    {kControl, "rate", "limiter"},
    {kControl, "previous prior earlier above system your original",
     "instructions rules prompt guidelines policies policy"},
    {kControl, "safety", "rules checks guidelines filters"},
    {kControl | kAuditTrail, "audit", "log logs trail trails logging history entries"},
    {kPrivilege, "admin root sudo superuser administrator owner", "access rights role permissions privileges group"},
    {kLegal, "court", "order orders"},
    {kLegal, "search arrest", "warrant warrants"},
    {kLegal, "legal litigation", "hold holds"},
    {kLegal, "e", "discovery"},
    {kLegal, "law", "enforcement"},
    {kLegal, "legal gdpr discovery erasure", "request requests notice"},
    {kLegal, "data", "subject"},
    {kLegal, "be", "forgotten"},
    {kLegal, "preservation", "order notice letter"},
    {kLegal, "cease", "and"},
    {kLegal, "of", "information"},
    {kSwitchOff, "turn switch shut", "off"},
    {kBypass, "get work go", "around"},
    {kObtain, "look", "up"},
    {kQuery, "log logging sign", "into in"},
    {kSelfApprove, "auto self", "approve"},
    {kPretend, "role", "play"},
    {kPretend, "act", "as"},
    {kPretend, "are", "now"},
    {kPretend, "developer god", "mode"},
};

// Long enough to be recognised with one typing error, and no other word is one typing error away.
constexpr std::string_view kOftenMistyped[] = {"password",  "passwords", "credential", "credentials", "secrets",
                                               "approval",  "approvals", "database",   "subpoena",    "customer",
                                               "customers", "addresses", "bypass"};

const std::unordered_map<std::string_view, Concepts>& words() {
  static const auto table = [] {
    std::unordered_map<std::string_view, Concepts> made;
    for (const Row& row : kWords) {
      for (const std::string_view word : split(row.words, " ")) made[word] |= row.concepts;
    }
    return made;
  }();
  return table;
}

std::string joined(std::string_view first, std::string_view second) {
  return std::string(first).append(1, ' ').append(second);
}

const std::unordered_map<std::string, Concepts>& pairs() {
  static const auto table = [] {
    std::unordered_map<std::string, Concepts> made;
    for (const PairRow& row : kPairs) {
      for (const std::string_view first : split(row.firsts, " ")) {
        for (const std::string_view second : split(row.seconds, " ")) made[joined(first, second)] |= row.concepts;
      }
    }
    return made;
  }();
  return table;
}

}  // namespace

Concepts concepts_of(std::string_view word) {
  if (const auto found = words().find(word); found != words().end()) return found->second;
  for (const std::string_view known : kOftenMistyped) {
    const bool near = word.size() + 1 >= known.size() && word.size() <= known.size() + 1 && word.size() >= 6;
    if (near && word[0] == known[0] && edit_distance(word, known) == 1) return words().at(known);
  }
  return 0;
}

Concepts concepts_of(std::string_view first, std::string_view second) {
  constexpr std::size_t kMaxLength = 16;
  if (first.size() > kMaxLength || second.size() > kMaxLength) return 0;
  const auto found = pairs().find(joined(first, second));
  return found == pairs().end() ? 0 : found->second;
}

}  // namespace deputy::intent
