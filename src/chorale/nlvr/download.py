"""Where NLVR is on the internet, and the hashes of its files."""

from chorale.plumbing.download import DataSet, RemoteFile

NLVR = DataSet(
    "https://raw.githubusercontent.com/lil-lab/nlvr/master/nlvr",
    (
        RemoteFile(
            "train.json",
            "train/train.json",
            "f61bcfa8c0b0094e9f219cb0994e46775cfba7b5",
            "638fa1cd47ce148e496050ed89589726bfefe3f03abf9c9d96ac3d8b958d3520",
        ),
        RemoteFile(
            "dev.json",
            "dev/dev.json",
            "e9dd8318fa537aff7e22a57ea968f96f38756564",
            "0d312c3d7309393c0e36d286c70b884fb276819699e9f8f2bcea2854ad46537b",
        ),
        RemoteFile("test.json", "test/test.json", "7cba925b6306b22ef5d374ddffb25dc85f73865d"),
    ),
    "NLVR, Suhr et al. 2017, CC-BY-4.0",
)
