// For each setting one test sees behaviour change: a row of at_work.h where the rules of runs show it, else a test that
// is named here. A setting without a row, or a row without a setting, fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/at_work.h"
#include "app/program.h"
#include "app/settings.h"

namespace deputy::app {
namespace {

struct Cover {
  std::string path;
  std::string test;  // Suite.Name of the test that sees it work, or which part's tests will
};

const std::vector<Cover> kSeenToWork{
    {"log.level", "LogSettingsAtWork.LevelDecidesWhatIsLogged"},
    {"log.format", "LogSettingsAtWork.FormatDecidesHowALineIsWritten"},
    {"retention.results", "RetentionAtWork.ResultsDecidesHowLongResultsAreKept"},
    {"retention.runs", "RetentionAtWork.RunsDecidesHowLongFinishedRunsAreKept"},
    {"retention.audit", "RetentionAtWork.AuditDecidesHowLongTheTrailIsKept"},
    {"retention.inbox_keys", "RetentionAtWork.InboxKeysDecidesHowLongASecondDeliveryIsNoticed"},
    {"services.file", "ToolSettingsAtWork.ServicesFileSaysWhichServicesThereAre"},
    {"tools.alarm_tools.prometheus.url", "AlarmSettingsAtWork.UrlAndTokenSayHowPrometheusIsReached"},
    {"tools.alarm_tools.prometheus.token", "AlarmSettingsAtWork.UrlAndTokenSayHowPrometheusIsReached"},
    {"tools.alarm_tools.alertmanager.url", "AlarmSettingsAtWork.UrlAndTokenSayHowAlertmanagerIsReached"},
    {"tools.alarm_tools.alertmanager.token", "AlarmSettingsAtWork.UrlAndTokenSayHowAlertmanagerIsReached"},
    {"tools.ticket_tools.jira.url", "AtlassianSettingsAtWork.OneAccountReachesJiraAndConfluence"},
    {"tools.ticket_tools.jira.email", "AtlassianSettingsAtWork.OneAccountReachesJiraAndConfluence"},
    {"tools.ticket_tools.jira.token", "AtlassianSettingsAtWork.OneAccountReachesJiraAndConfluence"},
    {"tools.ticket_tools.files.file", "AtlassianSettingsAtWork.TicketsMayBeInAFile"},
    {"tools.doc_tools.confluence.url", "AtlassianSettingsAtWork.OneAccountReachesJiraAndConfluence"},
    {"tools.cluster_tools.kubernetes.kubeconfig",
     "OperationsSettingsAtWork.KubeconfigAndContextsSayWhichClusterIsRead"},
    {"tools.cluster_tools.kubernetes.contexts.<name>",
     "OperationsSettingsAtWork.KubeconfigAndContextsSayWhichClusterIsRead"},
    {"tools.cluster_tools.kubernetes.exec_programs",
     "OperationsSettingsAtWork.ExecProgramsSayWhatMayRunForCredentials"},
    {"tools.cluster_tools.files.<name>", "OperationsSettingsAtWork.FilesSayWhereTheObjectsOfAClusterAre"},
    {"tools.incident_tools.files.incidents",
     "OperationsSettingsAtWork.FilesSayWhereIncidentsDutiesAlarmsAndMetricsAre"},
    {"tools.incident_tools.files.oncalls", "OperationsSettingsAtWork.FilesSayWhereIncidentsDutiesAlarmsAndMetricsAre"},
    {"tools.alarm_tools.files.alarms", "OperationsSettingsAtWork.FilesSayWhereIncidentsDutiesAlarmsAndMetricsAre"},
    {"tools.alarm_tools.files.metrics", "OperationsSettingsAtWork.FilesSayWhereIncidentsDutiesAlarmsAndMetricsAre"},
    {"tools.incident_tools.pagerduty.url", "OperationsSettingsAtWork.UrlAndTokenSayHowPagerDutyIsReached"},
    {"tools.incident_tools.pagerduty.token", "OperationsSettingsAtWork.UrlAndTokenSayHowPagerDutyIsReached"},
    {"tools.pipeline_tools.github.url", "PipelineSettingsAtWork.UrlAndTokenSayHowGitHubIsReached"},
    {"tools.pipeline_tools.github.token", "PipelineSettingsAtWork.UrlAndTokenSayHowGitHubIsReached"},
    {"tools.pipeline_tools.bitbucket.url", "PipelineSettingsAtWork.UrlEmailTokenAndWorkspaceSayHowBitbucketIsReached"},
    {"tools.pipeline_tools.bitbucket.email",
     "PipelineSettingsAtWork.UrlEmailTokenAndWorkspaceSayHowBitbucketIsReached"},
    {"tools.pipeline_tools.bitbucket.token",
     "PipelineSettingsAtWork.UrlEmailTokenAndWorkspaceSayHowBitbucketIsReached"},
    {"tools.pipeline_tools.bitbucket.workspace",
     "PipelineSettingsAtWork.UrlEmailTokenAndWorkspaceSayHowBitbucketIsReached"},
    {"tools.pipeline_tools.files.file", "PipelineSettingsAtWork.FileSaysWhatIsReadAndBackendWhichIsUsed"},
    {"tools.code_tools.repositories.<name>", "ToolSettingsAtWork.RepositoriesSayWhichCodeIsSearched"},
    {"tools.log_tools.files.root", "ToolSettingsAtWork.LogFilesSayWhereLogsAreAndWhose"},
    {"tools.log_tools.files.paths", "ToolSettingsAtWork.LogFilesSayWhereLogsAreAndWhose"},
    {"tools.log_tools.files.paths[].path", "ToolSettingsAtWork.LogFilesSayWhereLogsAreAndWhose"},
    {"tools.log_tools.files.paths[].environment", "ToolSettingsAtWork.LogFilesSayWhereLogsAreAndWhose"},
    {"tools.log_tools.files.paths[].service", "ToolSettingsAtWork.LogFilesSayWhereLogsAreAndWhose"},
    {"tools.log_tools.files.utc_offset_minutes", "ToolSettingsAtWork.LogFilesSayWhereLogsAreAndWhose"},
    {"tools.log_tools.loki.url", "LogBackendSettingsAtWork.UrlUserTokenAndTenantSayHowLokiIsReached"},
    {"tools.log_tools.loki.user", "LogBackendSettingsAtWork.UrlUserTokenAndTenantSayHowLokiIsReached"},
    {"tools.log_tools.loki.token", "LogBackendSettingsAtWork.UrlUserTokenAndTenantSayHowLokiIsReached"},
    {"tools.log_tools.loki.tenant", "LogBackendSettingsAtWork.UrlUserTokenAndTenantSayHowLokiIsReached"},
    {"tools.log_tools.loki.service_label", "LogBackendSettingsAtWork.LabelsSayWhichStreamsOfLokiAreWhose"},
    {"tools.log_tools.loki.environment_label", "LogBackendSettingsAtWork.LabelsSayWhichStreamsOfLokiAreWhose"},
    {"tools.log_tools.loki.level_label", "LogBackendSettingsAtWork.LabelsSayWhichStreamsOfLokiAreWhose"},
    {"tools.log_tools.elasticsearch.url", "LogBackendSettingsAtWork.UrlAndCredentialsSayHowElasticsearchIsReached"},
    {"tools.log_tools.elasticsearch.api_key", "LogBackendSettingsAtWork.UrlAndCredentialsSayHowElasticsearchIsReached"},
    {"tools.log_tools.elasticsearch.user", "LogBackendSettingsAtWork.UrlAndCredentialsSayHowElasticsearchIsReached"},
    {"tools.log_tools.elasticsearch.password",
     "LogBackendSettingsAtWork.UrlAndCredentialsSayHowElasticsearchIsReached"},
    {"tools.log_tools.elasticsearch.index", "LogBackendSettingsAtWork.IndexAndFieldsSayWhatElasticsearchReads"},
    {"tools.log_tools.elasticsearch.time_field", "LogBackendSettingsAtWork.IndexAndFieldsSayWhatElasticsearchReads"},
    {"tools.log_tools.elasticsearch.message_field", "LogBackendSettingsAtWork.IndexAndFieldsSayWhatElasticsearchReads"},
    {"tools.log_tools.elasticsearch.service_field", "LogBackendSettingsAtWork.IndexAndFieldsSayWhatElasticsearchReads"},
    {"tools.log_tools.elasticsearch.environment_field",
     "LogBackendSettingsAtWork.IndexAndFieldsSayWhatElasticsearchReads"},
    {"tools.log_tools.elasticsearch.level_field", "LogBackendSettingsAtWork.IndexAndFieldsSayWhatElasticsearchReads"},
    {"tools.log_tools.coralogix.region", "LogBackendSettingsAtWork.RegionSaysWhereCoralogixIs"},
    {"tools.log_tools.coralogix.url", "LogBackendSettingsAtWork.UrlAndKeySayHowCoralogixIsReached"},
    {"tools.log_tools.coralogix.api_key", "LogBackendSettingsAtWork.UrlAndKeySayHowCoralogixIsReached"},
    {"tools.log_tools.coralogix.service_key", "LogBackendSettingsAtWork.KeysSayWhichEntriesOfCoralogixAreWhose"},
    {"tools.log_tools.coralogix.environment_key", "LogBackendSettingsAtWork.KeysSayWhichEntriesOfCoralogixAreWhose"},
    {"tools.workspace_tools.root", "ToolSettingsAtWork.RootSaysWhichFolderTheWorkspaceIs"},
    {"network.proxy", "NetworkSettingsAtWork.ProxyCarriesWhatIsNotReachedDirectly"},
    {"network.no_proxy", "NetworkSettingsAtWork.ProxyCarriesWhatIsNotReachedDirectly"},
    {"network.ca_file", "NetworkSettingsAtWork.CaFileSaysWhomToTrust"},
    {"tools.workspace_tools.fetch_hosts", "NetworkSettingsAtWork.FetchHostsSayWhatIsReadWithoutAsking"},
    {"tools.workspace_tools.fetch_private", "NetworkSettingsAtWork.FetchPrivateSaysWhetherNeighboursAreRead"},
    {"tools.workspace_tools.read_commands.<name>", "JudgedAtWork.ReadCommandsSayWhatElseOnlyReads"},
    {"tools.workspace_tools.sandbox.network", "ToolSettingsAtWork.NetworkSaysWhetherACommandSharesThatOfTheMachine"},
    {"tools.workspace_tools.sandbox.memory_mb", "ToolSettingsAtWork.SandboxSaysWhatACommandMayUse"},
    {"tools.workspace_tools.sandbox.processes", "ToolSettingsAtWork.SandboxSaysWhatACommandMayUse"},
    {"tools.workspace_tools.sandbox.file_mb", "ToolSettingsAtWork.SandboxSaysWhatACommandMayUse"},
    {"tools.workspace_tools.sandbox.tmp_mb", "ToolSettingsAtWork.SandboxSaysWhatACommandMayUse"},
    {"tools.workspace_tools.sandbox.least_free_mb", "ToolSettingsAtWork.SandboxSaysWhatACommandMayUse"},
    {"approvals.expiry", "Approvals.NobodyInTimeIsADenial"},
    {"tools.<category>.backend", "ToolSettingsAtWork.BackendIsRefusedWhereThereIsNoneToChoose"},
    {"limits.background_timeout", "Outcomes.ABackgroundCallHasItsOwnTime"},
    {"limits.work", "Talking.ARunHasItsTimeAndSaysWhatItDid"},
    {"limits.intent_time", "IntentRun.WhatRanOutOfTimeIsCountedAsEstimated"},
    {"models.default.provider", "ModelSettingsAtWork.ProviderModelKeyAndAddressSayWhoIsAsked"},
    {"models.default.model", "ModelSettingsAtWork.ProviderModelKeyAndAddressSayWhoIsAsked"},
    {"models.default.api_key", "ModelSettingsAtWork.ProviderModelKeyAndAddressSayWhoIsAsked"},
    {"models.default.base_url", "ModelSettingsAtWork.ProviderModelKeyAndAddressSayWhoIsAsked"},
    {"models.default.temperature", "ModelSettingsAtWork.TemperatureIsSentWhenItIsSet"},
    {"models.default.effort", "ModelSettingsAtWork.EffortAndThinkingAreSentToModelsThatHaveAChoice"},
    {"models.default.thinking", "ModelSettingsAtWork.EffortAndThinkingAreSentToModelsThatHaveAChoice"},
    {"models.fast.effort", "ModelSettingsAtWork.EffortAndThinkingAreSentToModelsThatHaveAChoice"},
    {"models.fast.thinking", "ModelSettingsAtWork.EffortAndThinkingAreSentToModelsThatHaveAChoice"},
    {"models.fallback.effort", "ModelSettingsAtWork.EffortAndThinkingAreSentToModelsThatHaveAChoice"},
    {"models.fallback.thinking", "ModelSettingsAtWork.EffortAndThinkingAreSentToModelsThatHaveAChoice"},
    {"limits.memory_tokens", "RunMemory.MemoryTokensSayHowMuchIsShown"},
    {"limits.thread_tokens", "Context.OfALongThreadTheRootAndTheNewestAreShown"},
    {"models.default.context_tokens", "ModelSettingsAtWork.ContextTokensSayWhatIsNotSent"},
    {"models.fast.provider", "ModelSettingsAtWork.DoctorAsksEveryModelThatIsSetUp"},
    {"models.fast.model", "ModelSettingsAtWork.DoctorAsksEveryModelThatIsSetUp"},
    {"models.fast.api_key", "ModelSettingsAtWork.DoctorAsksEveryModelThatIsSetUp"},
    {"models.fast.base_url", "ModelSettingsAtWork.DoctorAsksEveryModelThatIsSetUp"},
    {"models.fast.temperature", "ModelSettingsAtWork.TemperatureIsSentWhenItIsSet"},
    {"models.fast.context_tokens", "ModelSettingsAtWork.ContextTokensSayWhatIsNotSent"},
    {"models.fallback.provider", "ModelSettingsAtWork.FallbackAnswersWhenTheFirstDoesNot"},
    {"models.fallback.model", "ModelSettingsAtWork.FallbackAnswersWhenTheFirstDoesNot"},
    {"models.fallback.api_key", "ModelSettingsAtWork.FallbackAnswersWhenTheFirstDoesNot"},
    {"models.fallback.base_url", "ModelSettingsAtWork.FallbackAnswersWhenTheFirstDoesNot"},
    {"models.fallback.temperature", "ModelSettingsAtWork.TemperatureIsSentWhenItIsSet"},
    {"models.fallback.context_tokens", "ModelSettingsAtWork.ContextTokensSayWhatIsNotSent"},
    {"models.anthropic.api_key", "ModelSettingsAtWork.AnthropicSaysHowItIsReached"},
    {"models.anthropic.base_url", "ModelSettingsAtWork.AnthropicSaysHowItIsReached"},
    {"models.anthropic.version", "ModelSettingsAtWork.AnthropicSaysHowItIsReached"},
    {"models.anthropic.betas", "ModelSettingsAtWork.AnthropicSaysHowItIsReached"},
    {"models.openai.api_key", "ModelSettingsAtWork.OpenAiSaysHowItIsReached"},
    {"models.openai.base_url", "ModelSettingsAtWork.OpenAiSaysHowItIsReached"},
    {"models.bedrock.bearer_token", "ModelSettingsAtWork.BedrockIsReachedWithTheCredentialsAndTheRegionOfAws"},
    {"models.bedrock.delivery", "ModelSettingsAtWork.BedrockIsReachedWithTheCredentialsAndTheRegionOfAws"},
    {"models.bedrock.form", "ModelSettingsAtWork.BedrockIsReachedWithTheCredentialsAndTheRegionOfAws"},
    {"models.retries.tries", "ModelSettingsAtWork.TriesSayHowOftenAModelIsAsked"},
    {"models.retries.total", "ModelSettingsAtWork.TotalSaysHowLongAModelIsWaitedFor"},
    {"models.prices.<name>.input", "PricesTest.EveryKindOfTokenHasItsPrice"},
    {"models.prices.<name>.output", "PricesTest.EveryKindOfTokenHasItsPrice"},
    {"models.prices.<name>.cache_read", "PricesTest.EveryKindOfTokenHasItsPrice"},
    {"models.prices.<name>.cache_write", "PricesTest.EveryKindOfTokenHasItsPrice"},
    {"tools.alarm_tools.cloudwatch.enabled", "AwsSettingsAtWork.EnabledTurnsCloudWatchOn"},
    {"tools.alarm_tools.cloudwatch.clusters.<name>",
     "AwsSettingsAtWork.ClustersAndEcsServiceSayWhichServiceOfEcsIsMeant"},
    {"tools.alarm_tools.cloudwatch.ecs_service", "AwsSettingsAtWork.ClustersAndEcsServiceSayWhichServiceOfEcsIsMeant"},
    {"tools.aws_tools.program", "AwsSettingsAtWork.ProgramSaysWhichAwsCliIsRun"},
    {"tools.code_tools.bedrock_kb.id", "AwsSettingsAtWork.IdSaysWhichKnowledgeBaseIsSearched"},
    {"services.s3", "AwsSettingsAtWork.ServicesMayBeInS3"},
    {"aws.endpoint_url_bedrock_agent_runtime", "AwsSettingsAtWork.EachServiceMayHaveAnAddressOfItsOwn"},
    {"aws.endpoint_url_cloudwatch", "AwsSettingsAtWork.EachServiceMayHaveAnAddressOfItsOwn"},
    {"aws.endpoint_url_ecs", "AwsSettingsAtWork.EachServiceMayHaveAnAddressOfItsOwn"},
    {"aws.endpoint_url_cloudwatch_logs", "AwsSettingsAtWork.EachServiceMayHaveAnAddressOfItsOwn"},
    {"tools.log_tools.cloudwatch.groups", "AwsSettingsAtWork.GroupsSayWhichLogGroupsAreSearched"},
    {"tools.log_tools.cloudwatch.groups[].group", "AwsSettingsAtWork.GroupsSayWhichLogGroupsAreSearched"},
    {"tools.log_tools.cloudwatch.groups[].environment", "AwsSettingsAtWork.GroupsSayWhichLogGroupsAreSearched"},
    {"tools.log_tools.cloudwatch.groups[].service", "AwsSettingsAtWork.GroupsSayWhichLogGroupsAreSearched"},
    {"tools.log_tools.max_scan", "AwsSettingsAtWork.MaxScanSaysWhenALongRangeAsks"},
    {"aws.region", "ModelSettingsAtWork.BedrockIsReachedWithTheCredentialsAndTheRegionOfAws"},
    {"aws.endpoint_url", "ModelSettingsAtWork.BedrockIsReachedWithTheCredentialsAndTheRegionOfAws"},
    {"aws.profile", "AwsTest.AProfileThatIsNamedMustBeThere"},
    {"aws.endpoint_url_bedrock_runtime", "Endpoints.AreTheServicesOwnUnlessSet"},
    {"aws.endpoint_url_s3", "Endpoints.AreTheServicesOwnUnlessSet"},
    {"aws.endpoint_url_sts", "Endpoints.AreTheServicesOwnUnlessSet"},
    {"models.system_prompt.file", "SystemPromptSettings.FileIsWhatModelsAreTold"},
    {"models.system_prompt.s3", "SystemPromptTest.S3GoesBeforeTheFile"},
    {"models.system_prompt.ttl", "SystemPromptTest.TtlDecidesWhenItIsReadAgain"},
    {"channels.slack.bot_token", "SlackService.AMentionIsAnsweredInItsThread"},
    {"channels.slack.app_token", "SlackService.AMentionIsAnsweredInItsThread"},
    {"channels.slack.api_url", "SlackService.AMentionIsAnsweredInItsThread"},
    {"channels.slack.user_token", "SlackSearch.GoesByTheUserTokenOnlyWhereOneIsSetAndShowsWhatMayBeShown"},
    {"channels.slack.signing_secret", "SlackService.EventsOverHttpAreAnsweredToo"},
    {"channels.slack.transport", "SlackService.EventsOverHttpAreAnsweredToo"},
    {"serve.listen", "SlackService.EventsOverHttpAreAnsweredToo"},
    {"approvals.channel", "Reach.APublicConversationsCardIsShownInTheApprovalsChannel"},
    {"channels.<name>.alert_channel", "ReloadOfAService.AlertsGoToTheAlertChannelOfTheMoment"},
    {"serve.health", "HealthOfAService.APortThatIsTakenEndsItAtTheStart"},
    {"limits.live_runs", "Talking.FurtherRunsWaitAsRowsWhenEnoughAreLive"},
    {"limits.runs_a_person", "Talking.OnlySoManyRunsOfAPersonWorkAtOnceAndTheRestWaitAndAreTold"},
    {"limits.requests_a_person", "Talking.OnlySoManyRequestsOfAPersonAreBegunInTenMinutes"},
};

// Settings that load and are checked, whose behaviour belongs to a part that does not read them yet, or that only a
// running instance shows. Whoever makes a test see them moves the row up.
const std::vector<Cover> kWaitingForTheirPart{
    {"environment", "app: shown at start and sent with alerts"},
};

class AtWork : public testing::TestWithParam<test::AtWork> {};

TEST_P(AtWork, ASettingChangesWhatIsSeen) {
  const test::AtWork& row = GetParam();
  EXPECT_NE(row.before, row.after);
  EXPECT_EQ(row.see(test::World(row.without)), row.before) << row.path << " without it: " << row.without;
  EXPECT_EQ(row.see(test::World(row.with)), row.after) << row.path << " with it: " << row.with;
}

INSTANTIATE_TEST_SUITE_P(Settings, AtWork, testing::ValuesIn(test::all_at_work()));

TEST(SettingsCover, EverySettingHasItsTest) {
  std::vector<std::string> declared;
  // The rules of a kind with settings of its own are the rules of any other key.
  std::set<std::string> rules;
  for (const FieldDoc& doc : describe_fields<policy::ChannelRules>()) rules.insert("channels.slack." + doc.path);
  for (const FieldDoc& doc : describe_fields<Settings>()) {
    if (!rules.contains(doc.path)) declared.push_back(doc.path);
  }
  std::vector<std::string> covered;
  for (const auto* list : {&kSeenToWork, &kWaitingForTheirPart}) {
    for (const Cover& cover : *list) covered.push_back(cover.path);
  }
  for (const test::AtWork& row : test::all_at_work()) covered.push_back(row.path);
  EXPECT_THAT(covered, testing::UnorderedElementsAreArray(declared));
  std::string waiting;
  for (const Cover& cover : kWaitingForTheirPart) waiting += " " + cover.path;
  std::cout << "settings that no test sees at work yet:" << waiting << "\n";
}

// They may be in any test program, so they are looked for where they are written.
TEST(SettingsCover, TheseTestsExist) {
  std::string sources;
  for (const auto& file : std::filesystem::recursive_directory_iterator(DEPUTY_SOURCE "/tests")) {
    if (file.path().string().ends_with("_test.cpp")) sources += deputy::test::read_file(file.path());
  }
  for (const Cover& cover : kSeenToWork) {
    const std::size_t dot = cover.test.find('.');
    const std::string arguments = "(" + cover.test.substr(0, dot) + ", " + cover.test.substr(dot + 1) + ") {";
    EXPECT_TRUE(sources.contains("TEST" + arguments) || sources.contains("TEST_F" + arguments)) << cover.test;
  }
}

TEST(LogSettingsAtWork, LevelDecidesWhatIsLogged) {
  const deputy::test::Program deputy;
  EXPECT_EQ(deputy.run({"config", "check"}).errors, "");
  EXPECT_THAT(deputy.run({"config", "check", "--set", "log.level=debug"}).errors,
              testing::HasSubstr(" debug   settings loaded files=0 problems=0\n"));
}

TEST(LogSettingsAtWork, FormatDecidesHowALineIsWritten) {
  const deputy::test::Program deputy;
  const auto line =
      parse_json(deputy.run({"config", "check", "--set", "log.level=debug", "--set", "log.format=json"}).errors);
  ASSERT_OK(line);
  EXPECT_EQ(line->at("event").as_string(), "settings loaded");
}

}  // namespace
}  // namespace deputy::app
