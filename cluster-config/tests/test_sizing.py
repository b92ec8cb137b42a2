import unittest
from dataclasses import replace
from pathlib import Path

from packhorse_cluster.__main__ import read_shape
from packhorse_cluster.model import ConfigError
from packhorse_cluster.render import render
from packhorse_cluster.settings import load, load_sections, overlay, overlays
from packhorse_cluster.sizing import size

SHAPES = Path(__file__).parent.parent / "shapes"


class SizingTest(unittest.TestCase):
    def setUp(self):
        self.worker, self.cluster = read_shape(SHAPES / "reference-worker.toml")
        self.master, _ = read_shape(SHAPES / "reference-master.toml")

    def test_every_worker_leaves_memory_to_the_page_cache(self):
        for gigabytes in (2, 4, 8, 15, 16, 24, 32, 64, 128, 256, 512):
            with self.subTest(gigabytes=gigabytes):
                sizes = size(replace(self.worker, memory_mb=gigabytes * 1024), self.cluster)
                self.assertGreaterEqual(sizes["page_cache_mb"], 0.1 * gigabytes * 1024)

    def test_region_server_heap_stays_below_compressed_pointers(self):
        sizes = size(replace(self.worker, memory_mb=1 << 20), self.cluster)
        self.assertLess(sizes["heap_mb"]["regionserver"], 32 * 1024)

    def test_hbase_accepts_the_shares_of_the_heap(self):
        for memory in (1536, 128_700):
            for name in ["", *overlays()]:
                with self.subTest(memory=memory, overlay=name):
                    files = render(replace(self.worker, memory_mb=memory), replace(self.cluster, overlay=name))
                    xml = files["hbase-site.xml"]
                    shares = [
                        float(xml.split(f"<name>{key}</name>\n    <value>")[1].split("<")[0])
                        for key in ("hbase.regionserver.global.memstore.size", "hfile.block.cache.size")
                    ]
                    self.assertLessEqual(sum(shares), 0.8)

    def test_a_missing_disk_counts_as_a_failed_one(self):
        ten = replace(self.worker, disks=self.worker.disks[:10])
        self.assertEqual(2, size(self.worker, self.cluster)["failed_volumes_tolerated"])
        self.assertEqual(1, size(ten, self.cluster)["failed_volumes_tolerated"])

    def test_too_many_missing_disks_are_refused(self):
        with self.assertRaisesRegex(ConfigError, "3 of 11 data disks are missing, at most 2 may be"):
            size(replace(self.worker, disks=self.worker.disks[:8]), self.cluster)

    def test_slots_keep_their_names_when_one_is_missing(self):
        without_fifth = tuple(disk for disk in self.worker.disks if disk != "/data/05")
        text = render(replace(self.worker, disks=without_fifth), self.cluster)["hdfs-site.xml"]
        self.assertIn("file:///data/11/packhorse/datanode", text)
        self.assertNotIn("/data/05", text)

    def test_a_receiver_with_a_log_in_has_no_listener_without_one(self):
        edge, cluster = read_shape(SHAPES / "reference-edge.toml")
        self.assertIn("--telnet=", render(edge, cluster)["receiver.options"])
        options = render(replace(edge, receive_login=True, receive=("--max-tags=20",)), cluster)["receiver.options"]
        self.assertNotIn("--telnet=", options)
        self.assertIn("--credentials=/etc/packhorse-receiver/senders\n", options)
        self.assertTrue(options.endswith("\n--max-tags=20\n"))

    def test_options_of_the_receiver_stay_on_their_line(self):
        edge, cluster = read_shape(SHAPES / "reference-edge.toml")
        for option in ("visible-within=30s", "--add-tag=a=b\n--http=0.0.0.0:1", "--max-tags 20"):
            with self.subTest(option=option), self.assertRaisesRegex(ConfigError, "an option of the receiver"):
                render(replace(edge, receive=(option,)), cluster)

    def test_daemons_that_do_not_fit_are_refused(self):
        crowded = replace(
            self.master,
            memory_mb=1024,
            daemons=("zookeeper", "namenode", "master", "datanode", "regionserver"),
        )
        with self.assertRaisesRegex(ConfigError, "need [0-9]+ MiB, it has 1024"):
            size(crowded, self.cluster)

    def test_all_problems_are_reported_at_once(self):
        wrong = replace(
            self.cluster,
            zookeepers={"master01": 1, "master02": 1},
            namenodes=("a", "b", "c"),
            nameservice="pack_horse",
            salt_buckets=0,
        )
        with self.assertRaises(ConfigError) as raised:
            size(replace(self.worker, disks=()), wrong)
        self.assertEqual(7, len(raised.exception.problems), raised.exception.problems)

    def test_an_unknown_overlay_is_refused(self):
        with self.assertRaisesRegex(ConfigError, "no such overlay: fast; use one of bulk-load, serving"):
            render(self.worker, replace(self.cluster, overlay="fast"))

    def test_a_second_namenode_turns_on_ha(self):
        with_ha = render(self.master, self.cluster)["hdfs-site.xml"]
        one = replace(self.cluster, namenodes=self.cluster.namenodes[:1])
        without = render(self.master, one)["hdfs-site.xml"]
        for key in ("shared.edits.dir", "automatic-failover.enabled"):
            self.assertIn(key, with_ha)
            self.assertNotIn(key, without)
        for text in (render(self.master, c)["core-site.xml"] for c in (self.cluster, one)):
            self.assertIn("<value>hdfs://packhorse</value>", text)

    def test_a_decommissioned_worker_is_marked(self):
        hosts = render(self.master, replace(self.cluster, decommissioned=("worker03",)))["dfs.hosts.json"]
        self.assertEqual(1, hosts.count("DECOMMISSIONED"))

    def test_every_setting_has_a_reason_and_a_source(self):
        everything = [load(name) for name in ("core-site", "hdfs-site", "hbase-site", "zoo", "jvm", "opentsdb")]
        everything += load_sections("os").values()
        everything += load_sections("kerberos").values()
        everything += [overlay(name, "hbase-site") for name in overlays()]
        for setting in (setting for group in everything for setting in group.values()):
            with self.subTest(setting=setting.name):
                self.assertTrue(setting.why and setting.source)


if __name__ == "__main__":
    unittest.main()
