package io.packhorse.loader.report;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;

/** The frame of a report: an HTML file without scripts that fetches nothing. */
final class Page {
  /** The colours, type and cards of the query page. */
  private static final String STYLE =
      """
      :root{color-scheme:light dark;--ground:#f7f6f2;--sheet:#fff;--ink:#1d2320;--soft:#59625d;--line:#d5d6cf;
      --accent:#1f5f4a;--grid:#e7e7e1;--a:#1f6f8b;--b:#c2571a;--c:#8a3f8f}
      @media (prefers-color-scheme:dark){:root{--ground:#141816;--sheet:#1c211f;--ink:#e7eae7;--soft:#a5aea9;--line:#343b37;
      --accent:#7fcfb0;--grid:#2a302d;--a:#6cc5e0;--b:#f0a36b;--c:#d59ada}}
      *{box-sizing:border-box}
      body{margin:0;background:var(--ground);color:var(--ink);
      font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif}
      header{display:flex;align-items:center;gap:10px;padding:12px 24px}header svg{width:28px;height:28px}
      header b{font-size:18px;font-weight:650}header span{margin-left:auto;color:var(--soft);font-size:13px}
      main{max-width:1100px;margin:0 auto;padding:0 24px 24px}
      section{margin-bottom:16px;padding:16px 20px;background:var(--sheet);border:1px solid var(--line);border-radius:10px}
      h1,h2{margin:0 0 10px;font-size:16px;font-weight:650;overflow-wrap:anywhere}h1+p{margin:0 0 14px}dl+p{margin:14px 0 0;color:var(--soft)}
      dl{display:flex;flex-wrap:wrap;gap:14px 44px;margin:0}dt{color:var(--soft);font-size:13px;font-weight:550}
      dd{margin:0;font-size:30px;font-weight:650;line-height:1.2;color:var(--accent);font-variant-numeric:tabular-nums}
      figure{margin:14px 0 0}figcaption{font-weight:550}
      table{width:100%;border-collapse:collapse;margin:8px 0 0;font-size:14px;font-variant-numeric:tabular-nums}
      caption{text-align:left;color:var(--soft);padding-bottom:4px}
      th,td{padding:5px 12px 5px 0;text-align:right;border-bottom:1px solid var(--line)}
      th[scope=col]{color:var(--soft);font-weight:550}
      th[scope=row],th[scope=col]:first-child{text-align:left;font-weight:normal;overflow-wrap:anywhere}
      table.narrow{width:auto;min-width:20em}table.facts th{width:8em;color:var(--soft);white-space:nowrap}table.facts td{text-align:left;overflow-wrap:anywhere}
      figure svg{width:100%;height:auto}svg.bar{width:120px;height:10px}
      svg text{fill:var(--soft);font-size:12px}text.y{text-anchor:end}text.x{text-anchor:middle}
      .grid{stroke:var(--grid)}polyline{fill:none;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}
      .l0{stroke:var(--a)}.l1{stroke:var(--b);stroke-dasharray:6 3}.l2{stroke:var(--c);stroke-dasharray:2 3}
      .key{margin-right:1.5em;border-bottom:2px solid}.k0{border-color:var(--a)}.k1{border-color:var(--b);border-bottom-style:dashed}
      .k2{border-color:var(--c);border-bottom-style:dotted}.bar rect{fill:var(--accent)}
      summary,footer{color:var(--soft);font-size:13px}footer{padding:0 24px 24px;text-align:center}
      @media print{details{display:none}}
      """;

  private static final String ICON =
      """
      <svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#1f5f4a"/>
      <path d="M5 21l5-7 4 4 5-9 4 6 4-4" fill="none" stroke="#f2efe4" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/>
      <path d="M5 26h22" stroke="#e0a33a" stroke-width="2.6" stroke-linecap="round"/></svg>
      """;

  private Page() {}

  /**
   * The whole file.
   *
   * @param kind of report, in a few words
   * @param refreshSeconds after which a browser reads it again; 0 for never
   * @param sections HTML; empty ones are left out
   */
  static String html(
      String title, String kind, int refreshSeconds, List<String> sections, String footer) {
    StringBuilder html = new StringBuilder();
    html.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
    html.append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ");
    html.append("style-src 'sha256-").append(sha256(STYLE)).append("'\">\n");
    if (refreshSeconds > 0) {
      html.append("<meta http-equiv=\"refresh\" content=\"").append(refreshSeconds).append("\">\n");
    }
    html.append("<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    html.append(Html.escape(title)).append("</title>\n<style>").append(STYLE);
    html.append("</style></head>\n<body><header>").append(ICON);
    html.append("<b>Packhorse</b><span>").append(Html.escape(kind));
    html.append("</span></header>\n<main>\n");
    for (String section : sections) {
      if (!section.isEmpty()) {
        html.append("<section>").append(section).append("</section>\n");
      }
    }
    html.append("</main><footer>").append(Html.escape(footer));
    return html.append("</footer></body></html>\n").toString();
  }

  private static String sha256(String text) {
    try {
      return Base64.getEncoder()
          .encodeToString(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
