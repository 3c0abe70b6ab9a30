// The small XML reader, and errors of services in all their forms.
#include "clients/aws/xml.h"

#include <gtest/gtest.h>

#include "clients/aws/signed_client.h"
#include "support/results.h"

namespace deputy::clients::aws {
namespace {

using Texts = std::vector<XmlText>;

TEST(Xml, GivesTheTextsOfElementsThatHoldNoOthers) {
  const auto texts = read_xml(R"(<?xml version="1.0"?>
<!-- a comment -->
<a:Root xmlns="x" b='1 > 0'>
  <Code>A&amp;B&lt;&#65;&#x42;</Code><Empty/><Deep><Code><![CDATA[<raw>&]]></Code></Deep>
</a:Root>
)");
  ASSERT_OK(texts);
  EXPECT_EQ(*texts, (Texts{{"a:Root/Code", "A&B<AB"}, {"a:Root/Empty", ""}, {"a:Root/Deep/Code", "<raw>&"}}));
  EXPECT_EQ(find_text(*texts, "Deep/Code"), "<raw>&");
  EXPECT_EQ(find_text(*texts, "Code"), "A&B<AB");
  EXPECT_EQ(find_text(*texts, "ode"), std::nullopt);
}

TEST(Xml, WhatIsNoneIsRefused) {
  std::string deep;
  for (int i = 0; i < 17; ++i) deep += "<a>";
  std::string many = "<a>";
  for (int i = 0; i < 6000; ++i) many += "<b/>";
  for (const std::string& document : std::initializer_list<std::string>{"",
                                                                        "text",
                                                                        "<a>",
                                                                        "<a></b>",
                                                                        "</a>",
                                                                        "<a/><b/>",
                                                                        "<a/>text",
                                                                        "<a>&foo;</a>",
                                                                        "<a>&#0;</a>",
                                                                        "<a>&amp</a>",
                                                                        "<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>",
                                                                        "<a b=\">",
                                                                        "<a <b>",
                                                                        "<1a/>",
                                                                        "<>",
                                                                        "<a>\xFF</a>",
                                                                        "<!-- ",
                                                                        "<?x",
                                                                        "<a><![CDATA[x</a>",
                                                                        deep,
                                                                        many + "</a>",
                                                                        "<a>" + std::string(kMaxXml, ' ') + "</a>"}) {
    EXPECT_FAILS(read_xml(document), upstream) << document.substr(0, 60);
  }
}

TEST(ServiceErrors, AreReadWhereverTheServicePutsThem) {
  const std::vector<net::Header> header{{"x-amzn-ErrorType", "ThrottlingException:http://internal.amazon.com/x/"}};
  EXPECT_EQ(read_service_error(header, R"({"message":"slow down"})"),
            (ServiceError{"ThrottlingException", "slow down"}));
  EXPECT_EQ(read_service_error({}, R"({"__type":"com.amazon.coral.service#AccessDeniedException","Message":"no"})"),
            (ServiceError{"AccessDeniedException", "no"}));
  EXPECT_EQ(
      read_service_error({},
                         "<ErrorResponse><Error><Type>Sender</Type><Code>ExpiredToken</Code><Message>old</Message>"
                         "</Error></ErrorResponse>"),
      (ServiceError{"ExpiredToken", "old"}));
  EXPECT_EQ(read_service_error({}, "<Error><Code>NoSuchKey</Code></Error>"), (ServiceError{"NoSuchKey", ""}));
  for (const char* body : {"", "{", "<", "Bad Gateway", "[]", "<html>"}) {
    EXPECT_EQ(read_service_error({}, body), ServiceError{});
  }
}

TEST(ServiceErrors, SayWhoActs) {
  const auto error = [](int status, const char* code) {
    return as_error("S3", status, {{"retry-after", "3"}}, {code, "m"}, {});
  };
  EXPECT_EQ(error(403, "AccessDenied").kind, ErrorKind::permission);
  EXPECT_EQ(error(404, "NoSuchKey"),
            (Error{ErrorKind::not_found, "S3 refused with 404 NoSuchKey: m", "check the key of the object"}));
  EXPECT_EQ(error(503, "SlowDown"), (Error{ErrorKind::rate_limit, "S3 refused with 503 SlowDown: m",
                                           "wait and retry, or ask for less", true, std::chrono::seconds(3)}));
  EXPECT_EQ(error(400, "ExpiredToken").kind, ErrorKind::authentication);
  EXPECT_EQ(error(403, "SignatureDoesNotMatch").message, "S3 refused with 403 SignatureDoesNotMatch");
  EXPECT_EQ(error(502, "").kind, ErrorKind::upstream);
  EXPECT_TRUE(error(502, "").retryable);
  EXPECT_EQ(error(400, "Other").kind, ErrorKind::invalid_input);
}

struct RemedyRow {
  const char* code;
  const char* date;
  Remedy remedy;
};

TEST(ServiceErrors, HaveARemedyWhereOneHelps) {
  const Timestamp signed_at = *parse_timestamp("2025-01-02T03:04:05Z");
  constexpr const char* kNear = "Thu, 02 Jan 2025 03:08:05 GMT";
  constexpr const char* kFar = "Thu, 02 Jan 2025 03:10:05 GMT";
  constexpr const char* kLongAgo = "Thu, 02 Jan 2025 02:04:05 GMT";
  for (const RemedyRow& row :
       {RemedyRow{"RequestTimeTooSkewed", kNear, Remedy::correct_clock},
        RemedyRow{"RequestTimeTooSkewed", "", Remedy::none}, RemedyRow{"RequestExpired", kFar, Remedy::correct_clock},
        RemedyRow{"SignatureDoesNotMatch", kNear, Remedy::none},
        RemedyRow{"SignatureDoesNotMatch", kFar, Remedy::correct_clock},
        RemedyRow{"InvalidSignatureException", kLongAgo, Remedy::correct_clock},
        RemedyRow{"InvalidSignatureException", "", Remedy::none},
        RemedyRow{"ExpiredToken", kNear, Remedy::renew_credentials},
        RemedyRow{"ExpiredTokenException", "", Remedy::renew_credentials},
        RemedyRow{"AccessDenied", kFar, Remedy::none}, RemedyRow{"", kFar, Remedy::none}}) {
    EXPECT_EQ(remedy_for({row.code, ""}, {{"Date", row.date}}, signed_at), row.remedy) << row.code << " " << row.date;
  }
}

}  // namespace
}  // namespace deputy::clients::aws
